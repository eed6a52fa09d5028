using System.Collections.Concurrent;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// Responses in the memory of this process, up to a number of bytes, each served only while the fence finds it current.
/// Eviction is by CLOCK: the oldest entry goes, unless it was used since it was last examined.
/// </summary>
internal sealed class MemoryCache<TKey>(
    int megabytes, TagFence fence, IOptions<CachingOptions> options, CacheMetrics metrics, TimeProvider time)
    where TKey : notnull
{
    private readonly long budget = (long)megabytes << 20;

    // An entry has up to twice the body.
    private readonly long longest = Math.Min(CachingOptions.LargestResponse, ((long)megabytes << 20) / 3);
    private readonly long lifetime = time.TimestampFrequency * options.Value.MemorySeconds;
    private readonly long lifetimeUnavailable = time.TimestampFrequency * options.Value.UnavailableSeconds;
    private readonly ConcurrentDictionary<TKey, MemoryEntry<TKey>> entries = new();
    private readonly LinkedList<MemoryEntry<TKey>> clock = new();
    private readonly Lock gate = new();
    private long bytes;

    public bool IsOn => megabytes > 0;

    public CachedResponse? Find(TKey key) => entries.TryGetValue(key, out var entry) ? Current(entry) : null;

    /// <summary>Finds without allocating the key; only where keys are text.</summary>
    public CachedResponse? Find(ReadOnlySpan<char> key) =>
        entries.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(key, out var entry) ? Current(entry) : null;

    /// <summary>
    /// Whether a response may be served to others: its read began after any other content was received first. Of two
    /// reads at the same time it is not known which has the newer content, and clients that have received it must not
    /// receive the older one after it.
    /// </summary>
    public bool MayServe(TKey key, CachedResponse response, FenceMark mark) =>
        !entries.TryGetValue(key, out var last) || mark.Taken > last.OtherThan(response.ETag);

    /// <summary>Whether the content that was received last may not be served.</summary>
    public bool IsDisputed(TKey key) => entries.TryGetValue(key, out var last) && last.Response is null;

    /// <summary>Whether a read that began at the mark is not older than any content of the key.</summary>
    public bool MayJoin(TKey key, FenceMark mark) =>
        !entries.TryGetValue(key, out var last) || mark.Taken > last.Received;

    /// <summary>Stores a response that was read after the mark, or its ETag if it may not be served.</summary>
    public void Store(TKey key, CachedResponse response, FenceMark mark, int[] slots)
    {
        if (!IsOn) return;
        lock (gate)
        {
            var last = entries.GetValueOrDefault(key);
            if (last is { Response: not null } && last.ETag == response.ETag && last.Mark.Taken >= mark.Taken) return;
            var isServed = response.Body.Length <= longest && MayServe(key, response, mark);
            Replace(last, key, response.ETag, isServed ? response : null, mark, slots);
        }
    }

    /// <summary>A read that began at the mark found nothing, so what is stored is not served any more.</summary>
    public void Remove(TKey key, FenceMark mark)
    {
        if (!entries.ContainsKey(key)) return;
        lock (gate)
            if (entries.GetValueOrDefault(key) is { } last) Replace(last, key, etag: "", null, mark, []);
    }

    /// <summary>Whether a response whose read began at the mark may be sent now.</summary>
    public bool IsCurrent(FenceMark mark, int[] slots) =>
        fence.IsFresh(mark) && fence.IsCurrent(mark, slots) && ExpiryOf(mark) > time.GetTimestamp();

    /// <summary>Removes entries from the front, where the oldest are, when reads beside them have expired.</summary>
    public void RemoveExpired()
    {
        var now = time.GetTimestamp();
        lock (gate)
            while (clock.First?.Value is { } one
                && Math.Max(ExpiryOf(one.Mark), one.Received + lifetimeUnavailable) <= now)
                Remove(one);
    }

    private void Replace(
        MemoryEntry<TKey>? last, TKey key, string etag, CachedResponse? response, FenceMark mark, int[] slots)
    {
        var entry = new MemoryEntry<TKey>(key, etag, response, mark, slots)
        {
            Received = last?.ETag == etag ? last.Received : time.GetTimestamp(),
            OtherReceived = last?.OtherThan(etag) ?? long.MinValue,
        };
        // At no moment is the key without an entry: others look it up without the lock.
        if (last is not null) Unlink(last);
        entries[key] = entry;
        entry.Node = clock.AddLast(entry);
        bytes += entry.Size;
        metrics.Evicted(Evict());
    }

    // An entry that is not current stays until the next read ends: it has the time when its content was received.
    private CachedResponse? Current(MemoryEntry<TKey> entry)
    {
        if (entry.Response is not { } response) return null;
        // Only the first of many writes: the cache line stays shared by all cores.
        if (!entry.IsUsed) entry.IsUsed = true;
        if (IsCurrent(entry.Mark, entry.Slots))
        {
            metrics.Hit(CacheMetrics.Memory);
            return response;
        }

        metrics.Stale(CacheMetrics.Memory);
        return null;
    }

    private int Evict()
    {
        var evicted = 0;
        while (bytes > budget && clock.First?.Value is { } oldest)
        {
            if (!oldest.IsUsed)
            {
                Remove(oldest);
                evicted++;
                continue;
            }

            oldest.IsUsed = false;
            clock.RemoveFirst();
            oldest.Node = clock.AddLast(oldest);
        }

        return evicted;
    }

    private void Remove(MemoryEntry<TKey> entry)
    {
        entries.TryRemove(new(entry.Key, entry));
        Unlink(entry);
    }

    private void Unlink(MemoryEntry<TKey> entry)
    {
        clock.Remove(entry.Node!);
        entry.Node = null;
        bytes -= entry.Size;
    }

    private long ExpiryOf(FenceMark mark) => mark.At + (mark.IsLive ? lifetime : lifetimeUnavailable);
}
