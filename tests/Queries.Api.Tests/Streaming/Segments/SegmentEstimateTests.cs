using ApexShop.Queries.Api.Streaming.Segments;

namespace ApexShop.Queries.Api.Tests.Streaming.Segments;

public sealed class SegmentEstimateTests
{
    private static readonly SegmentVersion[] segments =
        [.. Enumerable.Range(0, 20).Select(number => new SegmentVersion(number, 1, 500))];

    [Fact]
    public void A_sample_is_of_one_epoch_of_the_read_schema()
    {
        var estimate = new SegmentEstimate(1_000);
        var versions = new SegmentVersions(1, segments);
        estimate.IsSampleNeeded(versions).ShouldBeTrue("there was none");

        estimate.Replace(versions, new SegmentSizes(500, 50_000));
        estimate.IsSampleNeeded(versions).ShouldBeFalse();
        estimate.IsSampleNeeded(versions with { Epoch = 2 }).ShouldBeTrue("the versions mean other documents");
    }

    [Fact]
    public void The_average_is_that_of_the_whole_collection()
    {
        var estimate = new SegmentEstimate(1_100_000);
        var versions = new SegmentVersions(1, segments);
        estimate.MayFit(versions).ShouldBeTrue("nothing is known");

        estimate.Adjust(versions, new SegmentSizes(10_000, 1_000_000));
        estimate.MayFit(versions).ShouldBeTrue();
        estimate.MayFit(versions, new SegmentSizes(500, 140_000)).ShouldBeTrue("the others have 95,000 of each 1,000");
        estimate.MayFit(versions, new SegmentSizes(500, 160_000)).ShouldBeFalse();

        estimate.Adjust(versions, new SegmentSizes(500, 160_000));
        estimate.MayFit(versions).ShouldBeFalse("also before the next one is read");
    }
}
