using System.Numerics;

namespace ApexShop.Load.Running;

/// <summary>
/// Counts times in buckets of growing width: a quantile is never too small and at most
/// <see cref="RelativeError"/> too large, in memory that does not grow. Many threads may record at once.
/// </summary>
internal sealed class Histogram
{
    private readonly int precision;
    private readonly long[] counts;
    private long totalTicks;
    private long maxTicks;
    private long minTicks = long.MaxValue;

    /// <summary>Twice as many buckets and half the error with each bit of precision more.</summary>
    public Histogram(int precision = 10)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(precision, 2);
        this.precision = precision;
        counts = new long[Index(Largest.Ticks) + 1];
    }

    /// <summary>Longer times count as this long, except in <see cref="Max"/> and <see cref="Mean"/>.</summary>
    public static TimeSpan Largest { get; } = TimeSpan.FromHours(1);

    public double RelativeError => 1.0 / (1 << (precision - 1));

    public int Buckets => counts.Length;

    public long Count => counts.Sum();

    public TimeSpan Max => new(Volatile.Read(ref maxTicks));

    public TimeSpan Min => Count == 0 ? TimeSpan.Zero : new(Volatile.Read(ref minTicks));

    public TimeSpan Mean => Count is > 0 and var count ? new(Volatile.Read(ref totalTicks) / count) : TimeSpan.Zero;

    public void Record(TimeSpan time)
    {
        var ticks = Math.Max(0, time.Ticks);
        Interlocked.Increment(ref counts[Index(Math.Min(ticks, Largest.Ticks))]);
        Interlocked.Add(ref totalTicks, ticks);
        for (var seen = Volatile.Read(ref maxTicks); ticks > seen;)
            seen = Interlocked.CompareExchange(ref maxTicks, ticks, seen) is var now && now == seen ? ticks : now;
        for (var seen = Volatile.Read(ref minTicks); ticks < seen;)
            seen = Interlocked.CompareExchange(ref minTicks, ticks, seen) is var now && now == seen ? ticks : now;
    }

    /// <summary>
    /// The smallest time that at least <paramref name="share"/> of all do not exceed, to the upper end of its bucket.
    /// </summary>
    public TimeSpan Quantile(double share)
    {
        var rank = Math.Max(1, (long)Math.Ceiling(share * Count));
        for (var (index, passed) = (0, 0L); index < counts.Length; index++)
        {
            passed += Volatile.Read(ref counts[index]);
            if (passed >= rank) return new TimeSpan(Math.Min(UpperEnd(index), Math.Min(maxTicks, Largest.Ticks)));
        }

        return TimeSpan.Zero;
    }

    /// <summary>The number of times above the bucket of <paramref name="limit"/>.</summary>
    public long CountAbove(TimeSpan limit)
    {
        var above = 0L;
        for (var index = Index(Math.Min(limit.Ticks, Largest.Ticks)) + 1; index < counts.Length; index++)
            above += counts[index];
        return above;
    }

    // Below 2^precision each tick has a bucket. From there on, each doubling has 2^(precision-1) of equal width.
    private int Index(long ticks)
    {
        var shift = Math.Max(0, BitOperations.Log2((ulong)ticks | 1) - precision + 1);
        return (shift << (precision - 1)) + (int)(ticks >> shift);
    }

    private long UpperEnd(int index)
    {
        var half = 1 << (precision - 1);
        var shift = Math.Max(0, (index / half) - 1);
        return ((index - (long)(shift * half) + 1) << shift) - 1;
    }
}
