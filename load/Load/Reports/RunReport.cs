using System.Globalization;
using ApexShop.Load.Running;

namespace ApexShop.Load.Reports;

/// <summary>The whole run as data: the JSON report, and the source of all other reports.</summary>
internal sealed record RunReport(RunFacts Facts, IReadOnlyList<ScenarioReport> Scenarios)
{
    public bool Passed => Scenarios.All(scenario => scenario.Passed);

    public bool IsLimitedByGenerator => Scenarios.Any(scenario => scenario.Generator.IsLimit);
}

/// <summary>The machine, the time and the version of the sources.</summary>
internal sealed record RunFacts(
    DateTimeOffset Started, string Commit, string Command, string Shop, string Processor, int Cores,
    double MemoryGigabytes,
    string System, string Runtime);

internal sealed record ScenarioReport(
    string Name,
    string Group,
    string Description,
    IReadOnlyList<string> Simulations,
    double Seconds,
    long? Planned,
    long Started,
    StepReport Total,
    IReadOnlyList<StepReport> Steps,
    IReadOnlyList<SecondPoint> Series,
    IReadOnlyList<ThresholdReport> Thresholds,
    GeneratorReport Generator)
{
    public bool Passed => Thresholds.All(threshold => threshold.Met);

    public static ScenarioReport Of(ScenarioRun run)
    {
        var (scenario, recording) = (run.Scenario, run.Recording);
        IReadOnlyList<StepReport> steps = [.. recording.Steps.Select(step => StepReport.Of(step, run.Took))];
        return new ScenarioReport(
            scenario.Name,
            scenario.Group,
            scenario.Description,
            [.. scenario.Simulations.Select(simulation => simulation.ToString()!)],
            Math.Round(run.Took.TotalSeconds, 2),
            run.Planned,
            recording.Started,
            StepReport.Of(recording.Iterations, run.Took) with
            {
                Megabytes = Math.Round(steps.Sum(step => step.Megabytes), 3),
            },
            steps,
            run.Series,
            [.. scenario.Thresholds.Select(threshold => ThresholdReport.Of(threshold, run))],
            GeneratorReport.Of(run));
    }
}

/// <summary>
/// A step, or whole iterations. Latencies count from the moment a request was due, service times from its start.
/// </summary>
internal sealed record StepReport(
    string Name, long Ok, long Failed, double OkPerSecond, double Megabytes, Times Latency, Times Service,
    IReadOnlyDictionary<string, long> Codes, IReadOnlyList<KeyValuePair<string, long>> Errors)
{
    public static StepReport Of(StepStatistics tally, TimeSpan took) => new(
        tally.Name, tally.Ok, tally.Failed, Math.Round(tally.Ok / took.TotalSeconds, 2),
        Math.Round(tally.Bytes / 1e6, 3),
        Times.Of(tally.Latency), Times.Of(tally.Service), tally.Codes(), tally.Errors());
}

/// <summary>In milliseconds.</summary>
internal sealed record Times(
    double Min, double Mean, double P50, double P75, double P90, double P95, double P99, double P999, double Max)
{
    public static Times Of(Histogram histogram)
    {
        static double Milliseconds(TimeSpan time) => Math.Round(time.TotalMilliseconds, 3);
        double At(double share) => Milliseconds(histogram.Quantile(share));
        return new Times(
            Milliseconds(histogram.Min), Milliseconds(histogram.Mean), At(0.5), At(0.75), At(0.9), At(0.95), At(0.99),
            At(0.999),
            Milliseconds(histogram.Max));
    }
}

internal sealed record ThresholdReport(string Goal, double? Measured, string Unit, bool Met)
{
    public static ThresholdReport Of(Threshold threshold, ScenarioRun run) => new(
        threshold.ToString(),
        threshold.Measure(run) is { } value ? Math.Round(value, 3) : null,
        threshold.Unit,
        threshold.IsMet(run));
}

/// <summary>Whether the generator kept to the plan. If it did not, the figures are not the shop's.</summary>
internal sealed record GeneratorReport(
    double LatePercent, double LatenessP99, double LatenessMax, long HeldBack, double Cores, bool IsLimit)
{
    public static GeneratorReport Of(ScenarioRun run)
    {
        var pacing = run.Recording.Pacing;
        return new GeneratorReport(
            Math.Round(100 * pacing.LateShare, 3),
            Math.Round(pacing.Lateness.Quantile(0.99).TotalMilliseconds, 3),
            Math.Round(pacing.Lateness.Max.TotalMilliseconds, 3),
            pacing.HeldBack,
            Math.Round(run.Cores, 2),
            pacing.IsLimit);
    }

    /// <summary>Warnings that a reader must see before the figures.</summary>
    public IEnumerable<string> Warnings()
    {
        if (IsLimit)
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"Limited by the load generator: {LatePercent:0.0} % of its starts were late "
                + $"(p99 {LatenessP99:0.0} ms, worst {LatenessMax:0.0} ms). These figures are not the shop's.");
        if (HeldBack > 0)
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"{HeldBack} iterations started late because as many as allowed were running; "
                + $"their latency contains that wait.");
    }
}
