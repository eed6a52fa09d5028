using System.Globalization;

namespace ApexShop.Load.Running;

/// <summary>A goal of a scenario; a missed goal makes the run fail.</summary>
internal sealed record Threshold(
    string What, string Unit, bool AtLeast, double Limit, Func<ScenarioRun, double?> Measure)
{
    /// <summary>Good iterations in percent of all.</summary>
    public static Threshold OkShare(double percent) => new("ok share", "%", true, percent, run => run.OkPercent);

    /// <summary>Good iterations a second in percent of the plan.</summary>
    public static Threshold OfPlan(double percent) =>
        new("rate of the plan", "%", true, percent, run => run.PlanPercent);

    /// <summary>Good iterations a second.</summary>
    public static Threshold Rate(double perSecond) => new("rate", "/s", true, perSecond, run => run.OkPerSecond);

    /// <summary>The latency of whole iterations from their due time; missed without any good one, too.</summary>
    public static Threshold P99(TimeSpan limit) => new(
        "p99", "ms", false, limit.TotalMilliseconds, run => run.Recording.Iterations.Ok == 0
            ? null : run.Recording.Iterations.Latency.Quantile(0.99).TotalMilliseconds);

    public bool IsMet(ScenarioRun run) => Measure(run) is { } value && (AtLeast ? value >= Limit : value < Limit);

    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{What} {(AtLeast ? ">=" : "<")} {Limit:0.###} {Unit}");
}
