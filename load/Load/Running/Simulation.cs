namespace ApexShop.Load.Running;

/// <summary>The parts from which a scenario composes its load.</summary>
internal static class Simulation
{
    /// <summary>This many arrivals in each interval, evenly spread.</summary>
    public static LoadSimulation Inject(double rate, TimeSpan interval, TimeSpan during) =>
        new OpenSimulation(Positive(rate), Longer(interval), Longer(during), Ramps: false);

    /// <summary>Linearly from the previous rate, or 0, to this rate.</summary>
    public static LoadSimulation RampingInject(double rate, TimeSpan interval, TimeSpan during) =>
        new OpenSimulation(Positive(rate), Longer(interval), Longer(during), Ramps: true);

    /// <summary>This many copies, each of which starts again after its end.</summary>
    public static LoadSimulation KeepConstant(int copies, TimeSpan during) =>
        new ClosedSimulation((int)Positive(copies), Longer(during), Ramps: false);

    /// <summary>From the previous number of copies, or 0, step by step to this number.</summary>
    public static LoadSimulation RampingConstant(int copies, TimeSpan during) =>
        new ClosedSimulation((int)Positive(copies), Longer(during), Ramps: true);

    /// <summary>No starts.</summary>
    public static LoadSimulation Pause(TimeSpan during) => new PauseSimulation(Longer(during));

    private static double Positive(double value)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(value);
        return value;
    }

    private static TimeSpan Longer(TimeSpan value)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(value, TimeSpan.Zero);
        return value;
    }
}
