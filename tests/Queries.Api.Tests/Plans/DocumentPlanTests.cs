using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Plans;

/// <summary>The plan of a batch of documents, among 15,000.</summary>
public sealed class DocumentPlanTests(ManyProducts shop) : IClassFixture<ManyProducts>
{
    [Fact]
    public async Task The_documents_of_a_batch_are_found_by_the_index()
    {
        var find = new NpgsqlBatchCommand(new DocumentReader(ReadModel.All[0], null!).FindSql)
        {
            Parameters = { new NpgsqlParameter<int[]> { TypedValue = [7000, 3, 15_001] } },
        };
        var plan = await Plan.OfAsync(shop.Database.Queries, ReadDatabase.ScanSettings, find);
        var scan = plan.Nodes.Single(
            node => node.TryGetProperty("Relation Name", out var table) && table.GetString() == "products");
        scan.GetProperty("Node Type").GetString().ShouldBe("Index Scan");
        scan.GetProperty("Actual Rows").GetDouble().ShouldBe(2);
    }

    [Fact]
    public async Task A_slug_is_found_by_one_look_up_of_its_index()
    {
        var find = new NpgsqlBatchCommand(new SlugReader(ReadModel.All[0], null!).FindSql)
        {
            Parameters = { new NpgsqlParameter<string[]> { TypedValue = [Documents.Slug(7000)] } },
        };
        var plan = await Plan.OfAsync(shop.Database.Queries, ReadDatabase.ScanSettings, find);
        var scan = plan.Nodes.Single(
            node => node.TryGetProperty("Relation Name", out var table) && table.GetString() == "products");
        scan.GetProperty("Index Name").GetString().ShouldBe("products_by_slug");
        plan.MostRowsRead.ShouldBe(1, plan.ToString());
    }

    [Fact]
    public async Task A_page_of_changes_reads_its_places_in_order_and_its_documents_by_id()
    {
        var read = new NpgsqlBatchCommand(new ChangeReader(ReadModel.All[0], null!, null!).ReadSql)
        {
            Parameters =
            {
                new NpgsqlParameter<long> { TypedValue = 7000 },
                new NpgsqlParameter<int> { TypedValue = 3 },
                new NpgsqlParameter<int> { TypedValue = 101 },
            },
        };
        var plan = await Plan.OfAsync(shop.Database.Queries, ReadDatabase.ScanSettings, read);
        plan.Types.Intersect(["Sort", "Incremental Sort", "Seq Scan", "Bitmap Heap Scan"])
            .ShouldBeEmpty(plan.ToString());
        plan.MostRowsRead.ShouldBe(101, plan.ToString());
    }
}
