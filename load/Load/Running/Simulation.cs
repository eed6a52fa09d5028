namespace ApexShop.Load.Running;

/// <summary>The words in which a scenario says its load.</summary>
internal static class Simulation
{
    /// <summary>So many arrivals every interval, evenly spread.</summary>
    public static LoadSimulation Inject(double rate, TimeSpan interval, TimeSpan during) =>
        new OpenSimulation(Positive(rate), Longer(interval), Longer(during), Ramps: false);

    /// <summary>From the rate before it, or none, steadily to this one.</summary>
    public static LoadSimulation RampingInject(double rate, TimeSpan interval, TimeSpan during) =>
        new OpenSimulation(Positive(rate), Longer(interval), Longer(during), Ramps: true);

    /// <summary>So many copies, each of which begins again when it has ended.</summary>
    public static LoadSimulation KeepConstant(int copies, TimeSpan during) =>
        new ClosedSimulation((int)Positive(copies), Longer(during), Ramps: false);

    /// <summary>From the number of copies before it, or none, step by step to this one.</summary>
    public static LoadSimulation RampingConstant(int copies, TimeSpan during) =>
        new ClosedSimulation((int)Positive(copies), Longer(during), Ramps: true);

    /// <summary>Nothing begins.</summary>
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
