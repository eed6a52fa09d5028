using ApexShop.Load.Running;

namespace ApexShop.Load.Scenarios;

/// <summary>What every scenario has to reach on a machine of two cores that it shares with the shop.</summary>
internal static class Expected
{
    public static Threshold[] Of(int p99Milliseconds) =>
        [Threshold.OkShare(99.9), Threshold.OfPlan(95), Threshold.P99(TimeSpan.FromMilliseconds(p99Milliseconds))];
}
