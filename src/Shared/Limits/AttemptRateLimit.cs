namespace ApexShop.Limits;

/// <summary>
/// Limits attempts by a text, such as an address, in constant memory: texts with the same hash share an allowance. The
/// hash is another one in each process, so no client can choose a text that uses up the allowance of another.
/// </summary>
public sealed class AttemptRateLimit(RateOptions rate, TimeProvider clock)
{
    private const int Places = 1 << 16;

    private readonly RatePolicy policy = new("attempts", rate, clock.TimestampFrequency);
    private readonly long[] fullAt = new long[Places];

    /// <summary>Counts an attempt; the seconds to wait when it is refused, else 0.</summary>
    public long Count(string text)
    {
        var place = (uint)StringComparer.Ordinal.GetHashCode(text) % Places;
        return policy.Count(ref fullAt[place], clock.GetTimestamp())!.Value.RetryAfterSeconds;
    }
}
