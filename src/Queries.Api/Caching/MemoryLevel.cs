using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>Answers in this process's memory, each served only while the fence holds it for current.</summary>
internal sealed class MemoryLevel<TKey>(
    int megabytes, TagFence fence, IOptions<CachingOptions> options, CacheMetrics metrics, TimeProvider clock)
    where TKey : notnull
{
    private readonly MemoryStore<TKey> store = new((long)megabytes << 20);
    private readonly long lifetime = clock.TimestampFrequency * options.Value.MemorySeconds;
    private readonly long lifetimeAway = clock.TimestampFrequency * options.Value.AwaySeconds;

    public bool IsOn => megabytes > 0;

    public Answer? Find(TKey key)
    {
        if (!store.TryGet(key, out var entry)) return null;
        if (fence.IsCurrent(entry.Mark, entry.Slots) && entry.Expires > clock.GetTimestamp())
        {
            metrics.Hit(CacheMetrics.Memory);
            return entry.Answer;
        }

        metrics.StaleRefused(CacheMetrics.Memory);
        store.Remove(entry);
        return null;
    }

    /// <summary>Keeps what was read after the mark was noted.</summary>
    public void Keep(TKey key, Answer answer, FenceMark mark, int[] slots)
    {
        if (!IsOn || answer.Body.Length > CachingOptions.LargestAnswer) return;
        var expires = clock.GetTimestamp() + (mark.IsLive ? lifetime : lifetimeAway);
        metrics.Evicted(store.Put(new(key, answer, mark, slots, expires)));
    }

    public void DropExpired() => store.DropExpired(clock.GetTimestamp());
}
