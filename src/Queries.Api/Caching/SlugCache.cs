using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// Documents of one resource by their slugs, in memory. A slug is a part of its document, so the tag of the document is
/// enough: as long as the document does not change, the slug is its own.
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
    : KeyedDocumentCache<string, string>(resource, memory, fence, epoch, metrics, shared, reading)
{
    private readonly string prefix = $"{resource.Name}/by-slug/";

    /// <summary>The documents of a resource; all instances share what is in memory.</summary>
    public static SlugCache Of(ReadModel resource, IServiceProvider services) =>
        ActivatorUtilities.CreateInstance<SlugCache>(
            services, resource, new SlugReader(resource, services.GetRequiredService<ReadDatabase>().Pages));

    protected override string MemoryKeyOf(string key) => prefix + key;

    protected override Task<Dictionary<string, StoredDocument>> FindAsync(string[] keys, CancellationToken ct) =>
        documents.FindAsync(keys, ct);
}
