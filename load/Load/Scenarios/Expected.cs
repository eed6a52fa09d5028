using ApexShop.Load.Running;

namespace ApexShop.Load.Scenarios;

/// <summary>The thresholds of every scenario on a machine with two cores that also runs the shop.</summary>
internal static class Expected
{
    public static Threshold[] Of(int p99Milliseconds) =>
        [Threshold.OkShare(99.9), Threshold.OfPlan(95), Threshold.P99(TimeSpan.FromMilliseconds(p99Milliseconds))];
}
