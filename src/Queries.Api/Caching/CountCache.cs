using System.Buffers.Text;
using System.Globalization;
using System.Text;
using ApexShop.Queries.Api.Reading;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// How many documents a list contains. The projector keeps the totals of whole collections and of categories; any other
/// count is read and cached in Redis. It is not cached in memory: it becomes part of a page whose fence was compared
/// with Redis, and memory may not have received a change yet that this page counts as seen. For the same reason a page
/// does not join a count that has begun already: pages that are read at the same time share the next one.
/// </summary>
internal sealed class CountCache(
    ListReader lists, ISharedCache redis, TagFence fence, ReadEpoch epoch, IOptions<CachingOptions> options)
{
    private readonly bool isOn = options.Value.ResponseMegabytes > 0;
    private readonly QueuedFlight<long> flights = new();

    public Task<long> CountAsync(ListQuery list, bool isFresh, CancellationToken ct)
    {
        if (list.SegmentCounts() is var (counts, key))
        {
            var total = $"{counts.Table} {counts.CountColumn} {key}";
            return flights.RunAsync(total, token => lists.TotalAsync(counts, key, token), ct);
        }

        // One that may come from Redis is too old for a page with a token.
        var flight = isFresh ? $"{list.Identity()} fresh" : list.Identity();
        return flights.RunAsync(flight, token => FindAsync(list, isFresh, token), ct);
    }

    private async Task<long> FindAsync(ListQuery list, bool isFresh, CancellationToken ct)
    {
        var query = new CacheQuery($"{list.Identity()} count", list.Tags())
        {
            IsPublic = list.Resource.Scope is null,
            IsCount = true,
        };
        var mayBeCached = isOn && fence.IsUpToDate && query.IsPublic && !isFresh && !query.IsTooLong;
        if (!mayBeCached) return await lists.CountAsync(list, ct);

        query = query with { Epoch = await epoch.CurrentAsync(ct) };
        var shared = await redis.FindAsync(query, ct);
        if (shared?.Response is { } found) return Parse(found.Body.Span);
        var count = await lists.CountAsync(list, ct);
        if (shared is { } entry) await redis.StoreAsync(query, entry.Fence, Format(count), ct);
        return count;
    }

    private static CachedResponse Format(long count) =>
        new(Encoding.UTF8.GetBytes(count.ToString(CultureInfo.InvariantCulture)), "");

    private static long Parse(ReadOnlySpan<byte> text) => Utf8Parser.TryParse(text, out long count, out _)
        ? count
        : throw new InvalidOperationException("A cached count is not a number.");
}
