using System.Globalization;
using System.Text.Json;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Plans;

/// <summary>What PostgreSQL does for the very statements of the reader, with 15,000 documents.</summary>
public sealed class QueryPlanTests(ManyProducts shop) : IClassFixture<ManyProducts>
{
    private const int PageSize = 100;

    [Theory]
    [InlineData(0, "force_custom_plan")]
    [InlineData(0, "force_generic_plan")]
    [InlineData(14_800, "force_custom_plan")]
    [InlineData(14_800, "force_generic_plan")]
    public async Task A_keyset_page_walks_the_index_and_reads_one_row_more_than_it_sends(int after, string planning)
    {
        var nodes = await ExplainAsync(planning, reader => reader.AfterSql, after, PageSize + 1);

        nodes.Select(node => node.GetProperty("Node Type").GetString()).ShouldBe(["Limit", "Index Scan"]);
        nodes[1].GetProperty("Index Name").GetString().ShouldBe("products_pkey");
        nodes[1].GetProperty("Actual Rows").GetDouble().ShouldBe(PageSize + 1);
        nodes[1].TryGetProperty("Rows Removed by Filter", out var removed);
        (removed.ValueKind == JsonValueKind.Undefined ? 0 : removed.GetInt32()).ShouldBe(0);
    }

    [Fact]
    public async Task A_numbered_page_sorts_nothing()
    {
        var nodes = await ExplainAsync("force_generic_plan", reader => reader.PageSql, PageSize, 10_000L);
        nodes.Select(node => node.GetProperty("Node Type").GetString()).ShouldBe(["Limit", "Index Scan"]);
    }

    [Fact]
    public async Task Gathered_documents_are_looked_up_in_the_index()
    {
        await using var source = NpgsqlDataSource.Create(shop.Database.Queries);
        var reader = new DocumentReader(Resource.All[0], source, 5);
        var nodes = await ExplainAsync("force_generic_plan", _ => reader.FindSql, new[] { 7_000, 3, 15_001 });
        var scan = nodes.Single(node => node.GetProperty("Node Type").GetString() == "Index Scan");
        scan.GetProperty("Index Name").GetString().ShouldBe("products_pkey");
        scan.GetProperty("Actual Rows").GetDouble().ShouldBe(2);
    }

    private async Task<List<JsonElement>> ExplainAsync(
        string planning, Func<ReadModelReader, string> statement, params object[] values)
    {
        await using var source = NpgsqlDataSource.Create(shop.Database.Queries);
        var sql = statement(new ReadModelReader(Resource.All[0], source));
        await using var connection = await source.OpenConnectionAsync();
        var types = string.Join(", ", values.Select(value => value is long ? "bigint" : value is int[] ? "int[]" : "int"));
        await using var command = new NpgsqlCommand(
            $"""
            SET plan_cache_mode = {planning};
            PREPARE asked ({types}) AS {sql};
            EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked ({string.Join(", ", values.Select(Text))})
            """,
            connection);
        var plan = JsonElement.Parse((string)(await command.ExecuteScalarAsync())!);
        return [.. Nodes(plan[0].GetProperty("Plan"))];
    }

    private static string Text(object value) =>
        value is int[] ids ? $"'{{{string.Join(',', ids)}}}'" : string.Create(CultureInfo.InvariantCulture, $"{value}");

    private static IEnumerable<JsonElement> Nodes(JsonElement node) =>
        node.TryGetProperty("Plans", out var children) ? [node, .. children.EnumerateArray().SelectMany(Nodes)] : [node];
}
