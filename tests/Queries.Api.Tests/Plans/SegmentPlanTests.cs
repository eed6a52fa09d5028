using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming.Segments;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Plans;

/// <summary>What a whole stream costs the database, among 15,000 products and as many of each other kind but categories.</summary>
public sealed class SegmentPlanTests(SeededShop shop) : IClassFixture<SeededShop>
{
    private const int Segments = (15_000 / 500) + 1;

    [Fact]
    public async Task Asking_for_the_versions_reads_those_of_the_resource_and_nothing_else()
    {
        var versions = new NpgsqlBatchCommand(SegmentReader.VersionsSql)
        {
            Parameters = { new NpgsqlParameter<string> { TypedValue = "products" } },
        };
        var plan = await Plan.OfAsync(shop.Database.Queries, ReadDatabase.ScanSettings, versions);
        plan.RowsRead.ShouldBe(Segments + 1, plan.ToString());
        plan.Types.ShouldNotContain("Sort", plan.ToString());
        plan.Buffers.ShouldBeLessThan(20, plan.ToString());
    }

    [Fact]
    public async Task Reading_segments_reads_their_documents_in_order_and_no_others()
    {
        var load = new NpgsqlBatchCommand(new SegmentReader(Resource.All[0], null!).LoadSql)
        {
            Parameters = { new NpgsqlParameter<int[]> { TypedValue = [7, 3, 30, 31] } },
        };
        var plan = await Plan.OfAsync(shop.Database.Queries, ReadDatabase.ScanSettings, load);
        // PostgreSQL says how many it was on the average, rounded.
        plan.RowsRead.ShouldBeInRange(999, 1003, plan.ToString());
        plan.Types.Intersect(["Sort", "Seq Scan", "Bitmap Heap Scan"]).ShouldBeEmpty(plan.ToString());
    }
}
