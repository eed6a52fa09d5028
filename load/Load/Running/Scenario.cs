namespace ApexShop.Load.Running;

/// <summary>What one user does, again and again, and under which load. The steps are named as it goes.</summary>
internal sealed record Scenario(
    string Name, string Group, string Description, Func<Iteration, CancellationToken, Task> Run)
{
    public IReadOnlyList<LoadSimulation> Simulations { get; init; } = [];

    public IReadOnlyList<Threshold> Thresholds { get; init; } = [];

    /// <summary>Iterations one after another before the load begins; they count for nothing.</summary>
    public TimeSpan WarmUp { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// How long a copy waits before it begins again; arrivals do not wait. It counts as nobody's latency.
    /// </summary>
    public TimeSpan Think { get; init; }

    /// <summary>Puts away what the iterations have made.</summary>
    public Func<CancellationToken, Task>? Clean { get; init; }

    public Scenario WithLoad(params LoadSimulation[] simulations) => this with { Simulations = simulations };

    public Scenario WithThresholds(params Threshold[] thresholds) => this with { Thresholds = thresholds };

    /// <summary>The same with so many times the load, in so many seconds where they are given.</summary>
    public Scenario Scaled(double rate, double? seconds)
    {
        var time = seconds / new LoadPlan(Simulations).Duration.TotalSeconds ?? 1;
        return this with { Simulations = [.. Simulations.Select(one => one.Scaled(rate, time))] };
    }
}
