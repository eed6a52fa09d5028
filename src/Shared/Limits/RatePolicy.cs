using System.Globalization;

namespace ApexShop.Limits;

/// <summary>
/// The requests that one policy allows a caller, as a moment: when, if nothing more is asked, all of them will be back.
/// Each request moves it on by its share of time, and none may move it further ahead than the burst lasts. So a caller
/// is one number, which needs neither a timer nor a lock.
/// </summary>
internal sealed class RatePolicy
{
    /// <summary>The moment of a caller who was forgotten: whoever still holds it asks for a new one.</summary>
    public const long Closed = long.MaxValue;

    private readonly int burst;
    private readonly long share;
    private readonly long frequency;
    private readonly string name;

    public RatePolicy(string name, RateOptions rate, long frequency)
    {
        (this.name, this.frequency, burst) = (name, frequency, rate.Burst);
        share = Math.Max(1, rate.Seconds * frequency / rate.Requests);
        Policy = string.Create(CultureInfo.InvariantCulture, $"\"{name}\";q={burst};w={Seconds(burst * share)}");
    }

    /// <summary>The RateLimit-Policy header.</summary>
    public string Policy { get; }

    /// <summary>Takes one request, or nothing from a caller who is refused; null when the account was closed meanwhile.</summary>
    public RateDecision? Take(ref long fullAt, long now)
    {
        while (true)
        {
            var seen = Volatile.Read(ref fullAt);
            if (seen == Closed) return null;
            var next = Math.Max(seen, now) + share;
            var beyond = next - now - (burst * share);
            if (beyond > 0) return new RateDecision(seen - now, Seconds(beyond));
            if (Interlocked.CompareExchange(ref fullAt, next, seen) == seen) return new RateDecision(next - now, 0);
        }
    }

    /// <summary>The RateLimit header.</summary>
    public string StateAt(long untilFull) => string.Create(
        CultureInfo.InvariantCulture, $"\"{name}\";r={burst - Ceiling(untilFull, share)};t={Seconds(untilFull)}");

    private long Seconds(long time) => Ceiling(time, frequency);

    private static long Ceiling(long value, long unit) => (value + unit - 1) / unit;
}

/// <summary>What became of one request: how long until all are back, and how long a refused caller waits, else 0.</summary>
internal readonly record struct RateDecision(long UntilFull, long RetryAfterSeconds);
