using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// Documents of one resource by their ids, in memory only: Redis would take longer than the read that it saves.
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
    : KeyedDocumentCache<int, long>(resource, memory, fence, epoch, metrics, shared, reading)
{
    protected override long MemoryKeyOf(int key) => ((long)resourceIndex << 32) | (uint)key;

    protected override async Task<Dictionary<int, StoredDocument>> FindAsync(int[] keys, CancellationToken ct) =>
        (await documents.FindAsync(keys, ct)).ToDictionary(one => one.Id);
}
