using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>Answers in this process's memory, each served only while the fence holds it for current.</summary>
internal sealed class MemoryLevel<TKey>(
    int megabytes, TagFence fence, IOptions<CachingOptions> options, CacheMetrics metrics, TimeProvider clock)
    where TKey : notnull
{
    private readonly MemoryStore<TKey> store = new((long)megabytes << 20);
    private readonly long lifetime = clock.TimestampFrequency * options.Value.MemorySeconds;
    private readonly long lifetimeUnavailable = clock.TimestampFrequency * options.Value.UnavailableSeconds;

    public bool IsOn => megabytes > 0;

    public Answer? Find(TKey key) => store.TryGet(key, out var entry) ? Current(entry) : null;

    /// <summary>The same by the text of a key, which need not be made for it.</summary>
    public Answer? Find(ReadOnlySpan<char> key) => store.TryGet(key, out var entry) ? Current(entry) : null;

    /// <summary>Keeps what was read after the mark was noted.</summary>
    public void Keep(TKey key, Answer answer, FenceMark mark, int[] slots)
    {
        if (!IsOn || answer.Body.Length > CachingOptions.LargestAnswer) return;
        metrics.Evicted(store.Put(new(key, answer, mark, slots, ExpiryOf(mark))));
    }

    /// <summary>Whether an answer whose read began at the mark may be given now.</summary>
    public bool IsCurrent(FenceMark mark, int[] slots) =>
        fence.IsCurrent(mark, slots) && ExpiryOf(mark) > clock.GetTimestamp();

    public void DropExpired() => store.DropExpired(clock.GetTimestamp());

    private Answer? Current(MemoryStore<TKey>.Entry entry)
    {
        if (IsCurrent(entry.Mark, entry.Slots))
        {
            metrics.Hit(CacheMetrics.Memory);
            return entry.Answer;
        }

        metrics.StaleRefused(CacheMetrics.Memory);
        store.Remove(entry);
        return null;
    }

    private long ExpiryOf(FenceMark mark) => mark.At + (mark.IsLive ? lifetime : lifetimeUnavailable);
}
