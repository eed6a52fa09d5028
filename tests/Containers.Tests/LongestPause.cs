namespace ApexShop.Containers.Tests;

/// <summary>The longest time between two successes of any client.</summary>
public sealed class LongestPause(MachineClock clock)
{
    private readonly Lock gate = new();
    private TimeSpan last = clock.Now;
    private TimeSpan longest;

    /// <summary>Until now, if that is longer than each before.</summary>
    public TimeSpan Value
    {
        get
        {
            lock (gate) return Max(longest, clock.Now - last);
        }
    }

    /// <summary>Forgets the pauses until now.</summary>
    public void Reset()
    {
        lock (gate) (longest, last) = (TimeSpan.Zero, clock.Now);
    }

    /// <summary>A success: the next pause begins.</summary>
    public void End()
    {
        lock (gate)
        {
            longest = Max(longest, clock.Now - last);
            last = clock.Now;
        }
    }

    private static TimeSpan Max(TimeSpan one, TimeSpan other) => one > other ? one : other;
}
