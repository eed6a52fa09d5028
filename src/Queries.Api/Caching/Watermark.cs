namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// The time up to which every applied change is known to have been announced and received. A response that was read
/// longer ago than the bound is served only while the watermark is within the bound.
/// </summary>
internal sealed class Watermark(TimeProvider clock, int boundSeconds)
{
    private readonly long bound = clock.TimestampFrequency * boundSeconds;
    private readonly long start = clock.GetTimestamp();
    private long time;

    public long Time => Volatile.Read(ref time);

    /// <summary>Before the first proof, the time since the start of the process.</summary>
    public TimeSpan Age => clock.GetElapsedTime(Since);

    /// <summary>Whether changes have not been announced for longer than the bound.</summary>
    public bool IsLate => !IsWithinBound(Since);

    private long Since => Math.Max(Time, start);

    public bool IsWithinBound(long at) => clock.GetTimestamp() < at + bound;

    /// <summary>Called by one thread at a time.</summary>
    public void Advance(long to) => Volatile.Write(ref time, Math.Max(time, to));
}
