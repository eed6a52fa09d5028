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
    public void A_sample_counts_as_large_as_it_would_be_encoded()
    {
        var estimate = new SegmentEstimate(1_100_000);
        var versions = new SegmentVersions(1, segments);
        estimate.Replace(versions, new SegmentSizes(500, 200_000));
        estimate.MayFit(versions).ShouldBeFalse("10,000 documents of 400 bytes");

        estimate.Measure(stored: 50_000, encoded: 10_000);
        estimate.Replace(versions, new SegmentSizes(500, 200_000));
        estimate.MayFit(versions).ShouldBeTrue("a fifth of it");
    }

    [Fact]
    public void A_group_of_segments_has_as_many_stored_bytes_whatever_the_encoding()
    {
        var versions = new SegmentVersions(1, segments);
        var (plain, compressed) = (new SegmentEstimate(1_000_000_000), new SegmentEstimate(1_000_000_000));
        plain.Measure(stored: 500_000, encoded: 500_000);
        compressed.Measure(stored: 500_000, encoded: 100_000);
        plain.SegmentsInGroup(versions, new SegmentSizes(500, 500_000)).ShouldBe(8);
        compressed.SegmentsInGroup(versions, new SegmentSizes(500, 100_000)).ShouldBe(8);
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
