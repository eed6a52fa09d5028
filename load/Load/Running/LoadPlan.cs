namespace ApexShop.Load.Running;

/// <summary>One part of the load with its start and the level where a ramp begins.</summary>
internal sealed record Phase(TimeSpan Start, LoadSimulation Simulation, double From)
{
    public TimeSpan End => Start + Simulation.During;
}

/// <summary>A scenario's simulations, one after the other.</summary>
internal sealed class LoadPlan
{
    public LoadPlan(IReadOnlyList<LoadSimulation> simulations)
    {
        var phases = new List<Phase>();
        foreach (var simulation in simulations)
        {
            var before = phases.LastOrDefault();
            var continues = before?.Simulation.GetType() == simulation.GetType();
            phases.Add(new Phase(before?.End ?? TimeSpan.Zero, simulation, continues ? before!.Simulation.Level : 0));
        }

        Phases = phases;
    }

    public IReadOnlyList<Phase> Phases { get; }

    public TimeSpan Duration => Phases.Count > 0 ? Phases[^1].End : TimeSpan.Zero;

    /// <summary>Every planned arrival from the start of the plan; closed phases plan none.</summary>
    public IEnumerable<TimeSpan> Arrivals => Phases.SelectMany(ArrivalsOf);

    /// <summary>Whether the plan defines all starts, so that a rate can be compared with it.</summary>
    public bool IsOpen => Phases.Any(phase => phase.Simulation is OpenSimulation)
        && !Phases.Any(phase => phase.Simulation is ClosedSimulation);

    public static IEnumerable<TimeSpan> ArrivalsOf(Phase phase) =>
        phase.Simulation is OpenSimulation open ? open.Arrivals(phase.From).Select(time => phase.Start + time) : [];
}
