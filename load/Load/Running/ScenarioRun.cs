namespace ApexShop.Load.Running;

/// <summary>
/// The counts of a finished scenario. <paramref name="Cores"/> is the generator's processor use.
/// </summary>
internal sealed record ScenarioRun(
    Scenario Scenario, LoadPlan Plan, Recording Recording, TimeSpan Took, IReadOnlyList<SecondPoint> Series,
    double Cores)
{
    private static readonly TimeSpan grace = TimeSpan.FromSeconds(1);

    /// <summary>The number of planned arrivals; null for copies.</summary>
    public long? Planned { get; } = Plan.IsOpen ? Plan.Arrivals.LongCount() : null;

    public double OkPerSecond => Recording.Iterations.Ok / Took.TotalSeconds;

    /// <summary>Good iterations, in percent of all that were started.</summary>
    public double OkPercent => Recording.Started == 0 ? 0 : 100.0 * Recording.Iterations.Ok / Recording.Started;

    /// <summary>
    /// Good iterations a second, in percent of the plan; 100 for a closed load. An iteration that starts at the end of
    /// the plan may end a second later.
    /// </summary>
    public double PlanPercent => Planned is > 0 and var planned
        ? 100.0 * Recording.Iterations.Ok / planned * (Plan.Duration / TimeOfStarts)
        : Recording.Iterations.Ok > 0 ? 100 : 0;

    private TimeSpan TimeOfStarts => Took > Plan.Duration + grace ? Took - grace : Plan.Duration;
}
