using ApexShop.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// Documents of one resource by their slugs, in memory. A slug is a part of its document, so the tag of the document is
/// enough: as long as the document does not change, the slug is its own. A slug that no document has is not cached.
/// </summary>
internal sealed class SlugCache(
    ReadModel resource,
    SlugReader documents,
    MemoryCache<string> memory,
    TagFence fence,
    ReadEpoch epoch,
    CacheMetrics metrics,
    SharedCachingRules shared,
    IOptions<ReadingOptions> reading)
{
    private BatchLoader<string, CachedResponse> Loader => field ??= BatchLoader.ByKey<string, CachedResponse>(
        ReadAsync, TimeSpan.FromSeconds(reading.Value.StatementSeconds));

    /// <summary>The documents of a resource; all instances share what is in memory.</summary>
    public static SlugCache Of(ReadModel resource, IServiceProvider services) =>
        ActivatorUtilities.CreateInstance<SlugCache>(
            services, resource, new SlugReader(resource, services.GetRequiredService<ReadDatabase>().Pages));

    public CachedResponse? Find(string slug) => memory.Find(Key(slug));

    /// <summary>The document from memory unless it must be <paramref name="isFresh"/>, else read.</summary>
    public Task<CachedResponse?> GetAsync(string slug, bool isFresh, CancellationToken ct) =>
        !isFresh && Find(slug) is { } found ? Task.FromResult<CachedResponse?>(found) : ReadAsync(slug, ct);

    private Task<CachedResponse?> ReadAsync(string slug, CancellationToken ct)
    {
        metrics.Missed();
        return Loader.LoadAsync(slug, ct);
    }

    private async Task<Dictionary<string, CachedResponse>> ReadAsync(string[] slugs, CancellationToken ct)
    {
        var mark = fence.Mark();
        var found = await documents.FindAsync(slugs, ct);
        var responses = new Dictionary<string, CachedResponse>(found.Count);
        foreach (var (slug, (id, version, body)) in found)
        {
            var tag = CacheTags.Document(resource.Name, id);
            int[] slots = [fence.SlotOf(tag)];
            var response = new CachedResponse(body, version.ETag)
            {
                Shared = shared.Of(resource.Scope is null, [tag], mark, slots),
            };
            responses.Add(slug, response);
            epoch.Observe(version.Epoch);
            memory.Store(Key(slug), response, mark, slots);
        }

        return responses;
    }

    private string Key(string slug) => $"{resource.Name}/by-slug/{slug}";
}
