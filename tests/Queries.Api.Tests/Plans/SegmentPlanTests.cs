using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming.Segments;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Plans;

/// <summary>The plans of segments, among 15,000 products and as many orders, reviews and users.</summary>
public sealed class SegmentPlanTests(SeededShop shop) : IClassFixture<SeededShop>
{
    private const int Segments = (15_000 / 500) + 1;

    [Fact]
    public async Task Comparing_versions_reads_only_those_of_the_resource()
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
        var load = new NpgsqlBatchCommand(new SegmentReader(ReadModel.All[0], null!).LoadSql)
        {
            Parameters = { new NpgsqlParameter<int[]> { TypedValue = [7, 3, 30, 31] } },
        };
        var plan = await Plan.OfAsync(shop.Database.Queries, ReadDatabase.ScanSettings, load);
        // PostgreSQL reports the average, rounded.
        plan.RowsRead.ShouldBeInRange(999, 1003, plan.ToString());
        plan.Types.Intersect(["Sort", "Seq Scan", "Bitmap Heap Scan"]).ShouldBeEmpty(plan.ToString());
    }
}
