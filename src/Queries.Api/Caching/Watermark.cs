namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// The time up to which every applied change is known to have been announced and received. Responses may be older than
/// the bound only while the watermark is not.
/// </summary>
internal sealed class Watermark(TimeProvider clock, int boundSeconds)
{
    private readonly long bound = clock.TimestampFrequency * boundSeconds;
    private long time;

    public long Time => Volatile.Read(ref time);

    public TimeSpan Age => clock.GetElapsedTime(Time);

    public bool IsWithinBound(long at) => clock.GetTimestamp() < at + bound;

    /// <summary>Called by one thread at a time.</summary>
    public void Advance(long to) => Volatile.Write(ref time, Math.Max(time, to));
}
