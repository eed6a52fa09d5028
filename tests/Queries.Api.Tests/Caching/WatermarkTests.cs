using ApexShop.Queries.Api.Caching;

namespace ApexShop.Queries.Api.Tests.Caching;

public sealed class WatermarkTests
{
    [Fact]
    public void A_process_that_knows_nothing_yet_counts_from_its_start()
    {
        var clock = new Clock { Seconds = 36_000 };
        var watermark = new Watermark(clock, boundSeconds: 2);
        clock.Seconds += 1;
        (watermark.Age, watermark.IsLate).ShouldBe((TimeSpan.FromSeconds(1), false));
        watermark.IsWithinBound(watermark.Time).ShouldBeFalse("what it finds in Redis may lack earlier changes");

        clock.Seconds += 1;
        watermark.IsLate.ShouldBeTrue();
        watermark.Advance(clock.GetTimestamp());
        (watermark.Age, watermark.IsLate).ShouldBe((TimeSpan.Zero, false));
    }

    private sealed class Clock : TimeProvider
    {
        public long Seconds { get; set; }

        public override long TimestampFrequency => 1;

        public override long GetTimestamp() => Seconds;
    }
}
