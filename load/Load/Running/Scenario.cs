namespace ApexShop.Load.Running;

/// <summary>The actions of one user, and the load. The iteration names its steps.</summary>
internal sealed record Scenario(
    string Name, string Group, string Description, Func<Iteration, CancellationToken, Task> Run)
{
    public IReadOnlyList<LoadSimulation> Simulations { get; init; } = [];

    public IReadOnlyList<Threshold> Thresholds { get; init; } = [];

    /// <summary>Sequential iterations before the load starts; they are not counted.</summary>
    public TimeSpan WarmUp { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// The pause of a copy between two iterations; it is not part of any latency.
    /// </summary>
    public TimeSpan Think { get; init; }

    /// <summary>Deletes the rows that the iterations created.</summary>
    public Func<CancellationToken, Task>? Clean { get; init; }

    public Scenario WithLoad(params LoadSimulation[] simulations) => this with { Simulations = simulations };

    public Scenario WithThresholds(params Threshold[] thresholds) => this with { Thresholds = thresholds };

    /// <summary>The same with a scaled load, and with another duration if given.</summary>
    public Scenario Scaled(double rate, double? seconds)
    {
        var time = seconds / new LoadPlan(Simulations).Duration.TotalSeconds ?? 1;
        return this with { Simulations = [.. Simulations.Select(one => one.Scaled(rate, time))] };
    }
}
