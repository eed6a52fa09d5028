using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// The keys that were requested within the time for which Redis caches a response. Keys share slots by their hash, so
/// memory is constant; a wrong result costs one look-up in Redis or one read.
/// </summary>
internal sealed class RecentKeys(IOptions<CachingOptions> options, TimeProvider clock)
{
    // A power of two: a slot is found by the low bits of a hash.
    private const int Slots = 1 << 16;

    // Of the last key: its hash, and the second of its request.
    private readonly long[] slots = new long[Slots];
    private readonly uint window = (uint)options.Value.RedisSeconds;

    /// <summary>Adds a key; true if it was added within the window before.</summary>
    public bool Add(string key)
    {
        var hash = (uint)string.GetHashCode(key);
        var second = (uint)(clock.GetTimestamp() / clock.TimestampFrequency);
        ref var slot = ref slots[hash & (Slots - 1)];
        var last = (ulong)Volatile.Read(ref slot);
        Volatile.Write(ref slot, (long)(((ulong)hash << 32) | second));
        return (uint)(last >> 32) == hash && second - (uint)last <= window;
    }
}
