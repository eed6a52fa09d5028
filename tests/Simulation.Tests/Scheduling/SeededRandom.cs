namespace ApexShop.Simulation.Tests.Scheduling;

/// <summary>Numbers that follow from a seed on every machine and in every release of .NET (SplitMix64).</summary>
internal sealed class SeededRandom(long seed)
{
    private ulong state = (ulong)seed;

    public int Next(int limit) => (int)(Bits() % (uint)limit);

    public bool Chance(double probability) => (Bits() >> 11) * (1.0 / (1UL << 53)) < probability;

    public T Of<T>(params ReadOnlySpan<T> values) => values[Next(values.Length)];

    /// <summary>Evenly between the two, in milliseconds.</summary>
    public TimeSpan Between(double least, double most) =>
        TimeSpan.FromTicks((long)((least + (most - least) * Next(1_000_000) / 1e6) * TimeSpan.TicksPerMillisecond));

    private ulong Bits()
    {
        state += 0x9E3779B97F4A7C15;
        var mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
        return mixed ^ (mixed >> 31);
    }
}
