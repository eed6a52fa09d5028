using ApexShop.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// Single documents of one resource by a key, in memory. Documents that are not in memory are read in batches. A key
/// that no document has is not cached.
/// </summary>
/// <typeparam name="TKey">What a caller has of the document.</typeparam>
/// <typeparam name="TMemoryKey">The key in a memory that resources share.</typeparam>
internal abstract class KeyedDocumentCache<TKey, TMemoryKey>(
    ReadModel resource,
    MemoryCache<TMemoryKey> memory,
    TagFence fence,
    ReadEpoch epoch,
    CacheMetrics metrics,
    SharedCachingRules shared,
    IOptions<ReadingOptions> reading)
    where TKey : notnull
    where TMemoryKey : notnull
{
    private BatchLoader<TKey, CachedResponse> Loader => field ??= BatchLoader.ByKey<TKey, CachedResponse>(
        ReadBatchAsync, TimeSpan.FromSeconds(reading.Value.StatementSeconds));

    public CachedResponse? Find(TKey key) => memory.Find(MemoryKeyOf(key));

    /// <summary>The document from memory unless it must be <paramref name="isFresh"/>, else read.</summary>
    public Task<CachedResponse?> GetAsync(TKey key, bool isFresh, CancellationToken ct) =>
        !isFresh && Find(key) is { } found ? Task.FromResult<CachedResponse?>(found) : ReadAsync(key, ct);

    /// <summary>The document as of now or later; null if there is none.</summary>
    public Task<CachedResponse?> ReadAsync(TKey key, CancellationToken ct)
    {
        metrics.Missed();
        return Loader.LoadAsync(key, ct);
    }

    protected abstract TMemoryKey MemoryKeyOf(TKey key);

    /// <summary>The documents that exist.</summary>
    protected abstract Task<Dictionary<TKey, StoredDocument>> FindAsync(TKey[] keys, CancellationToken ct);

    private async Task<Dictionary<TKey, CachedResponse>> ReadBatchAsync(TKey[] keys, CancellationToken ct)
    {
        var mark = fence.Mark();
        var found = await FindAsync(keys, ct);
        var responses = new Dictionary<TKey, CachedResponse>(found.Count);
        foreach (var (key, (id, version, body)) in found)
        {
            var tag = CacheTags.Document(resource.Name, id);
            int[] slots = [fence.SlotOf(tag)];
            var response = new CachedResponse(body, version.ETag)
            {
                Shared = shared.Of(resource.Scope is null, [tag], mark, slots),
            };
            responses.Add(key, response);
            epoch.Observe(version.Epoch);
            memory.Store(MemoryKeyOf(key), response, mark, slots);
        }

        foreach (var key in keys)
            if (!responses.ContainsKey(key)) memory.Remove(MemoryKeyOf(key), mark);
        return responses;
    }
}
