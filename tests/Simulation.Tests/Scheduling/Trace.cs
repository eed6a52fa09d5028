using System.Globalization;

namespace ApexShop.Simulation.Tests.Scheduling;

/// <summary>What happened in a schedule: a hash of all of it, and the last events as text.</summary>
internal sealed class Trace
{
    private const int Kept = 60;

    private readonly (long Time, string Process, string Event, long Detail)[] last =
        new (long, string, string, long)[Kept];

    private ulong hash = 14695981039346656037;
    private long count;

    public ulong Hash => hash;

    public long Count => count;

    public void Add(long time, string process, string name, long detail = 0)
    {
        last[count++ % Kept] = (time, process, name, detail);
        Mix((ulong)time);
        Mix((ulong)detail);
        foreach (var character in process) Mix(character);
        foreach (var character in name) Mix(character);
    }

    public override string ToString() => string.Join('\n', Enumerable
        .Range(0, (int)Math.Min(count, Kept))
        .Select(back => last[(count - Math.Min(count, Kept) + back) % Kept])
        .Select(one => string.Create(
            CultureInfo.InvariantCulture,
            $"{Milliseconds(one.Time),12:0.000} ms  {one.Process,-14} {one.Event} {one.Detail}")));

    private static double Milliseconds(long time) => TimeSpan.FromTicks(time - Scheduler.Start).TotalMilliseconds;

    private void Mix(ulong value) => hash = (hash ^ value) * 1099511628211;
}
