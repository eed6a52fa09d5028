using System.Diagnostics;

namespace ApexShop.Containers.Tests;

/// <summary>The longest time between two successes of any client.</summary>
public sealed class LongestPause
{
    private readonly Lock gate = new();
    private long last = Stopwatch.GetTimestamp();
    private TimeSpan longest;

    /// <summary>Until now, if that is longer than each before.</summary>
    public TimeSpan Value
    {
        get
        {
            lock (gate) return Max(longest, Stopwatch.GetElapsedTime(last));
        }
    }

    /// <summary>Forgets the pauses until now.</summary>
    public void Reset()
    {
        lock (gate) (longest, last) = (TimeSpan.Zero, Stopwatch.GetTimestamp());
    }

    /// <summary>A success: the next pause begins.</summary>
    public void End()
    {
        lock (gate)
        {
            longest = Max(longest, Stopwatch.GetElapsedTime(last));
            last = Stopwatch.GetTimestamp();
        }
    }

    private static TimeSpan Max(TimeSpan one, TimeSpan other) => one > other ? one : other;
}
