using System.Text.Json;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Plans;

/// <summary>What PostgreSQL does for documents that are read together, among 15,000.</summary>
public sealed class GatheredReadPlanTests(ManyProducts shop) : IClassFixture<ManyProducts>
{
    [Fact]
    public async Task Gathered_documents_are_looked_up_in_the_index()
    {
        await using var source = NpgsqlDataSource.Create(shop.Database.Queries);
        var reader = new DocumentReader(Resource.All[0], source);
        var nodes = await ExplainAsync(source, reader.FindSql, "'{7000, 3, 15001}'");
        var scan = nodes.Single(node => node.TryGetProperty("Relation Name", out var table) && table.GetString() == "products");
        scan.GetProperty("Node Type").GetString().ShouldBe("Index Scan");
        scan.GetProperty("Actual Rows").GetDouble().ShouldBe(2);
    }

    private static async Task<List<JsonElement>> ExplainAsync(NpgsqlDataSource source, string sql, string value)
    {
        await using var connection = await source.OpenConnectionAsync();
        await using var command = new NpgsqlCommand(
            $"""
            SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off;
            PREPARE asked (int[]) AS {sql};
            EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked ({value})
            """,
            connection);
        var plan = JsonElement.Parse((string)(await command.ExecuteScalarAsync())!);
        return [.. Nodes(plan[0].GetProperty("Plan"))];
    }

    private static IEnumerable<JsonElement> Nodes(JsonElement node) =>
        node.TryGetProperty("Plans", out var children) ? [node, .. children.EnumerateArray().SelectMany(Nodes)] : [node];
}
