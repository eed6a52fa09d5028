namespace ApexShop.Load.Tests;

public sealed class StatisticsTests
{
    [Theory]
    [InlineData(new[] { 3.0 }, 3)]
    [InlineData(new[] { 9.0, 1, 4 }, 4)]
    [InlineData(new[] { 8.0, 1, 4, 2 }, 3)]
    public void The_median_is_the_middle_of_the_sorted_values(double[] values, double median) =>
        Statistics.Median(values).ShouldBe(median);

    [Theory]
    [InlineData(0.0, 1)]
    [InlineData(0.5, 50)]
    [InlineData(0.99, 99)]
    [InlineData(0.991, 100)]
    [InlineData(1.0, 100)]
    public void A_percentile_is_a_value_that_this_share_does_not_exceed(double share, double expected) =>
        Statistics.Percentile(Enumerable.Range(1, 100).Reverse().Select(value => (double)value), share)
            .ShouldBe(expected);

    [Fact]
    public void Quarters_are_of_equal_length_and_end_with_the_series() =>
        Statistics.QuarterMedians([99, 1, 1, 2, 2, 3, 3, 4, 4]).ShouldBe([1, 2, 3, 4]);

    [Fact]
    public void A_slope_is_the_growth_between_two_values()
    {
        Statistics.Slope([5, 7, 9, 11]).ShouldBe(2, 1e-9);
        Statistics.Slope([4, 4, 4]).ShouldBe(0, 1e-9);
        Statistics.Slope([1, 0, 3, 2, 5, 4]).ShouldBe(14.5 / 17.5, 1e-9);
    }

    [Fact]
    public void An_empty_series_has_no_figure()
    {
        Should.Throw<ArgumentException>(() => Statistics.Median([]));
        Should.Throw<ArgumentException>(() => Statistics.Percentile([], 0.5));
        Should.Throw<ArgumentException>(() => Statistics.QuarterMedians([1, 2, 3]));
        Should.Throw<ArgumentException>(() => Statistics.Slope([1]));
    }
}
