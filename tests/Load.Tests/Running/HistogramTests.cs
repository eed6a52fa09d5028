using ApexShop.Load.Running;
using FsCheck;
using FsCheck.Fluent;

namespace ApexShop.Load.Tests.Running;

public sealed class HistogramTests
{
    private static readonly double[] shares = [0, 0.1, 0.5, 0.75, 0.9, 0.99, 0.999, 1];

    [Theory]
    [InlineData(4)]
    [InlineData(7)]
    [InlineData(10)]
    public void A_quantile_is_that_of_the_sorted_values_or_at_most_the_error_above_it(int precision) =>
        Prop.ForAll(Series().ToArbitrary(), ticks =>
        {
            var histogram = new Histogram(precision);
            foreach (var one in ticks) histogram.Record(new TimeSpan(one));
            Array.Sort(ticks);
            foreach (var share in shares)
            {
                var exact = ticks[Math.Max(0, (int)Math.Ceiling(share * ticks.Length) - 1)];
                histogram.Quantile(share).Ticks.ShouldBeInRange(exact, (long)(exact * (1 + histogram.RelativeError)));
            }

            histogram.Count.ShouldBe(ticks.Length);
            histogram.Min.Ticks.ShouldBe(ticks[0]);
            histogram.Max.Ticks.ShouldBe(ticks[^1]);
            histogram.Quantile(1).ShouldBe(histogram.Max);
            ((double)histogram.Mean.Ticks).ShouldBe(ticks.Average(), 1);
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Its_size_does_not_depend_on_the_counted_times()
    {
        var histogram = new Histogram();
        var before = histogram.Buckets;
        histogram.Record(TimeSpan.Zero);
        histogram.Record(TimeSpan.FromDays(3));
        histogram.Buckets.ShouldBe(before);
        before.ShouldBeLessThan(20_000);
        histogram.Quantile(0.99).ShouldBe(Histogram.Largest);
        histogram.Max.ShouldBe(TimeSpan.FromDays(3));
    }

    [Fact]
    public void An_empty_histogram_has_no_times()
    {
        var histogram = new Histogram();
        (histogram.Count, histogram.Min, histogram.Max, histogram.Mean, histogram.Quantile(0.5))
            .ShouldBe((0, TimeSpan.Zero, TimeSpan.Zero, TimeSpan.Zero, TimeSpan.Zero));
        histogram.Record(TimeSpan.FromTicks(-5));
        histogram.Max.ShouldBe(TimeSpan.Zero);
    }

    [Fact]
    public void Times_above_a_limit_are_counted()
    {
        var histogram = new Histogram();
        foreach (var milliseconds in (int[])[1, 9, 10, 12, 500])
            histogram.Record(TimeSpan.FromMilliseconds(milliseconds));
        histogram.CountAbove(TimeSpan.FromMilliseconds(10)).ShouldBe(2);
    }

    [Fact]
    public void Nothing_is_lost_when_many_threads_record()
    {
        var histogram = new Histogram();
        Parallel.For(0, 8, thread =>
        {
            for (var i = 1; i <= 10_000; i++) histogram.Record(new TimeSpan((i * 8) + thread));
        });
        histogram.Count.ShouldBe(80_000);
        histogram.Min.Ticks.ShouldBe(8);
        histogram.Max.Ticks.ShouldBe(80_007);
    }

    // From a tick to minutes, each order of magnitude as likely as another.
    private static Gen<long[]> Series() =>
        (from magnitude in Gen.Choose(0, 10)
         from digits in Gen.Choose(0, 9_999_999)
         select (long)(digits / 1e7 * Math.Pow(10, magnitude))).NonEmptyListOf().Select(values => values.ToArray());
}
