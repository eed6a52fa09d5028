using ApexShop.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// Single documents of one resource, in memory only: Redis would take longer than the read that it saves. Documents
/// that are not in memory are read in batches.
/// </summary>
internal sealed class DocumentCache(
    ReadModel resource,
    int resourceIndex,
    IDocumentReader documents,
    MemoryCache<long> memory,
    TagFence fence,
    ReadEpoch epoch,
    CacheMetrics metrics,
    SharedCachingRules shared,
    IOptions<ReadingOptions> reading)
{
    private BatchLoader<int, CachedResponse> Loader => field ??= BatchLoader.ByKey<int, CachedResponse>(
        ReadAsync, TimeSpan.FromSeconds(reading.Value.StatementSeconds));

    public CachedResponse? Find(int id) => memory.Find(Key(id));

    /// <summary>The document from memory unless it must be <paramref name="isFresh"/>, else read.</summary>
    public Task<CachedResponse?> GetAsync(int id, bool isFresh, CancellationToken ct) =>
        !isFresh && Find(id) is { } found ? Task.FromResult<CachedResponse?>(found) : ReadAsync(id, ct);

    /// <summary>The document as of now or later; null if there is none.</summary>
    public Task<CachedResponse?> ReadAsync(int id, CancellationToken ct)
    {
        metrics.Missed();
        return Loader.LoadAsync(id, ct);
    }

    private async Task<Dictionary<int, CachedResponse>> ReadAsync(int[] ids, CancellationToken ct)
    {
        var mark = fence.Mark();
        var found = await documents.FindAsync(ids, ct);
        var responses = new Dictionary<int, CachedResponse>(found.Count);
        foreach (var (id, version, body) in found)
        {
            var tag = CacheTags.Document(resource.Name, id);
            int[] slots = [fence.SlotOf(tag)];
            var response = new CachedResponse(body, version.ETag)
            {
                Shared = shared.Of(resource.Scope is null, [tag], mark, slots),
            };
            responses.Add(id, response);
            epoch.Observe(version.Epoch);
            memory.Store(Key(id), response, mark, slots);
        }

        return responses;
    }

    private long Key(int id) => ((long)resourceIndex << 32) | (uint)id;
}
