using System.Diagnostics;

namespace ApexShop.Containers.Tests;

/// <summary>
/// A clock that stands still while the whole machine does: such a time is no pause of the shop, and a test on two cores
/// must not fail because of it.
/// </summary>
public sealed class MachineClock : IDisposable
{
    private static readonly TimeSpan tick = TimeSpan.FromMilliseconds(100);

    // What is later than this is not counted.
    private static readonly TimeSpan longestTick = TimeSpan.FromMilliseconds(250);

    private readonly PeriodicTimer timer = new(tick);
    private long counted;

    public MachineClock() => _ = RunAsync();

    /// <summary>The time since the clock was made.</summary>
    public TimeSpan Now => TimeSpan.FromTicks(Interlocked.Read(ref counted));

    public void Dispose() => timer.Dispose();

    private async Task RunAsync()
    {
        var last = Stopwatch.GetTimestamp();
        while (await timer.WaitForNextTickAsync())
        {
            var now = Stopwatch.GetTimestamp();
            var passed = Stopwatch.GetElapsedTime(last, now);
            Interlocked.Add(ref counted, Math.Min(passed.Ticks, longestTick.Ticks));
            last = now;
        }
    }
}
