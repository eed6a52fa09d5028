using ApexShop.Load.WriteSide;

namespace ApexShop.Load.Tests;

public sealed class FigureTests
{
    [Theory]
    [InlineData(0.69, true)]
    [InlineData(0.70, false)]
    public void The_median_decides_whether_a_goal_is_missed(double median, bool missed) =>
        Figure.OfRatio("speed", [0.1, median, 9], "at least 0.70", ratio => ratio >= 0.7).Missed.ShouldBe(missed);

    [Fact]
    public void A_figure_is_a_row_of_a_table_with_its_goal()
    {
        Figure.OfRatio("speed", [0.5, 0.75, 1], "at least 0.70", ratio => ratio >= 0.7).ToString()
            .ShouldBe("| speed | at least 0.70 | 0.75 | 0.50 to 1.00 | met |");
        Figure.OfRatio("time", [4], "at most 3.00", ratio => ratio <= 3).ToString()
            .ShouldBe("| time | at most 3.00 | 4.00 | 4.00 to 4.00 | MISSED |");
    }

    [Fact]
    public void A_figure_without_a_goal_is_only_reported()
    {
        var figure =
            Figure.OfLatency("commit to confirmed", [.. Enumerable.Range(1, 100).Select(value => (double)value)]);
        figure.Missed.ShouldBeFalse();
        figure.ToString().ShouldBe("| commit to confirmed | - | p50 50.5 ms, p99 99.0 ms | 1.0 to 100.0 ms | - |");
    }
}
