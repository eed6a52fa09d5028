using System.Globalization;

namespace ApexShop.Limits;

/// <summary>
/// A rate limit by the generic cell rate algorithm. The state of a caller is one timestamp: when its burst is whole
/// again if it sends nothing more. Each request moves that timestamp forward by the interval of one request, and a
/// request is refused when the timestamp would lie further ahead than the whole burst. This needs no timer and no lock.
/// </summary>
internal sealed class RatePolicy
{
    /// <summary>
    /// The timestamp of a caller that was removed: a request that still has it looks the caller up again.
    /// </summary>
    public const long Removed = long.MaxValue;

    private readonly int burst;
    private readonly long interval;
    private readonly long wholeBurst;
    private readonly long frequency;
    private readonly string name;

    public RatePolicy(string name, RateOptions rate, long frequency)
    {
        (this.name, this.frequency, burst) = (name, frequency, rate.Burst);
        interval = Math.Max(1, rate.Seconds * frequency / rate.Requests);
        // A slow rate with a large burst may be centuries, which are more than a timestamp can count.
        wholeBurst = (long)Int128.Min((Int128)burst * interval, long.MaxValue / 4);
        Header = string.Create(CultureInfo.InvariantCulture, $"\"{name}\";q={burst};w={Seconds(wholeBurst)}");
    }

    /// <summary>The value of the RateLimit-Policy header.</summary>
    public string Header { get; }

    /// <summary>
    /// Counts one request; a refused request is not counted. Null when the caller was removed in the meantime.
    /// </summary>
    public RateDecision? Count(ref long fullAt, long now)
    {
        while (true)
        {
            var seen = Volatile.Read(ref fullAt);
            if (seen == Removed) return null;
            var next = Math.Max(seen, now) + interval;
            var excess = next - now - wholeBurst;
            // With a later time, another thread may have filled the burst beyond the one of this moment.
            if (excess > 0) return new RateDecision(Math.Min(seen - now, wholeBurst), Seconds(excess));
            if (Interlocked.CompareExchange(ref fullAt, next, seen) == seen) return new RateDecision(next - now, 0);
        }
    }

    /// <summary>The value of the RateLimit header.</summary>
    public string StateAt(long untilFull) => string.Create(
        CultureInfo.InvariantCulture, $"\"{name}\";r={burst - Ceiling(untilFull, interval)};t={Seconds(untilFull)}");

    private long Seconds(long time) => Ceiling(time, frequency);

    private static long Ceiling(long value, long unit) => (value + unit - 1) / unit;
}

/// <summary>The time until the burst is whole again, and the wait of a refused request; 0 when it is allowed.</summary>
internal readonly record struct RateDecision(long UntilFull, long RetryAfterSeconds);
