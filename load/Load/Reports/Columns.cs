using System.Globalization;

namespace ApexShop.Load.Reports;

/// <summary>
/// The columns of every table of steps, so that all formats show the same figures with the same digits.
/// </summary>
internal static class Columns
{
    public static IReadOnlyList<(string Name, Func<StepReport, string> Value)> OfSteps { get; } =
    [
        ("step", step => step.Name),
        ("ok", step => Number(step.Ok)),
        ("failed", step => Number(step.Failed)),
        ("ok/s", step => Number(step.OkPerSecond, "0.0")),
        ("MB", step => Number(step.Megabytes, "0.0")),
        ("p50 ms", step => Time(step, step.Latency.P50)),
        ("p90 ms", step => Time(step, step.Latency.P90)),
        ("p99 ms", step => Time(step, step.Latency.P99)),
        ("p99.9 ms", step => Time(step, step.Latency.P999)),
        ("max ms", step => Time(step, step.Latency.Max)),
        ("service p50 ms", step => Time(step, step.Service.P50)),
        ("service p99 ms", step => Time(step, step.Service.P99)),
    ];

    public static string Number(double value, string format = "0") =>
        value.ToString(format, CultureInfo.InvariantCulture);

    public static string Milliseconds(double value) => Number(value, "0.0");

    public static string Measured(ThresholdReport threshold) =>
        threshold.Measured is { } value ? $"{Number(value, "0.0##")} {threshold.Unit}" : "no good response";

    /// <summary>The whole iteration first, then its steps.</summary>
    public static IEnumerable<StepReport> Rows(ScenarioReport scenario) => [scenario.Total, .. scenario.Steps];

    private static string Time(StepReport step, double milliseconds) => step.Ok == 0 ? "-" : Milliseconds(milliseconds);
}
