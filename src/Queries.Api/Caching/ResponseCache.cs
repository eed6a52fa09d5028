using ApexShop.Queries.Api.Reading;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// Pages of lists: from memory, else from Redis (a cheap one from its second request), else read once for all callers
/// that wait for the same page. The fence is marked before each read, so in no order of reads and changes is a page
/// served after a change of it.
/// </summary>
internal sealed class ResponseCache(
    MemoryCache<string> memory,
    ISharedCache redis,
    CountCache counts,
    IPageReader pages,
    TagFence fence,
    ReadEpoch epoch,
    RecentKeys recent,
    SharedCachingRules rules,
    IOptions<CachingOptions> options,
    CacheMetrics metrics,
    TimeProvider clock)
{
    private static readonly TimeSpan pollInterval = TimeSpan.FromMilliseconds(10);

    private readonly SingleFlight<CachedResponse?> flights = new(fence);

    // For callers with a token: a read that began before they came may not include their change.
    private readonly QueuedFlight<CachedResponse?> laterFlights = new();
    private readonly TimeSpan leaseWait = TimeSpan.FromMilliseconds(options.Value.LeaseWaitMilliseconds);

    /// <summary>Looks into memory by list and query string, before the query string is parsed.</summary>
    public CachedResponse? Find(string list, string? query)
    {
        var length = list.Length + (query?.Length ?? 0);
        if (length > CachingOptions.LongestKey) return null;
        Span<char> key = stackalloc char[length];
        list.CopyTo(key);
        query?.CopyTo(key[list.Length..]);
        return memory.Find(key);
    }

    /// <summary>Null when the position that the request names does not exist.</summary>
    public Task<CachedResponse?> GetAsync(CacheQuery query, PageRequest request, CancellationToken ct)
    {
        var slots = fence.SlotsOf(query.Tags);
        // The read may end later than its caller, as it does when callers share it.
        if (!memory.IsOn || query.IsTooLong) return ReadUncachedAsync(query, request, slots, ct).WaitAsync(ct);
        Func<CancellationToken, Task<CachedResponse?>> read = token => FetchAsync(query, request, slots, token);
        // Who waits for a search must not join a walk that may be too short.
        var flight = request.IsNear ? $"near {query.Key}" : query.Key;
        return query.IsFresh
            ? laterFlights.RunAsync(flight, read, ct)
            : flights.RunAsync(
                flight, mark => memory.IsCurrent(mark, slots) && memory.MayJoin(query.Key, mark), read, ct);
    }

    private async Task<CachedResponse?> ReadUncachedAsync(
        CacheQuery query, PageRequest request, int[] slots, CancellationToken ct)
    {
        var mark = fence.Mark();
        return Shareable(await ReadAsync(query, request, ct), query, mark, slots);
    }

    private async Task<CachedResponse?> FetchAsync(
        CacheQuery query, PageRequest request, int[] slots, CancellationToken ct)
    {
        // Another flight may have read it while this caller waited for a place.
        if (!query.IsFresh && memory.Find(query.Key) is { } known) return known;
        var mark = fence.Mark();
        SharedEntry? shared = null;
        if (query is { IsPublic: true, IsFresh: false } && mark.IsUpToDate && IsWorthSharing(query))
        {
            query = query with { Epoch = await epoch.CurrentAsync(ct) };
            // A walk takes less time than to wait for another process.
            (mark, shared) = await FindSharedAsync(query, request.IsNear ? TimeSpan.Zero : leaseWait, ct);
        }

        // While a change is not announced, the response in Redis may be older than one that a client has received.
        if (shared?.Response is { } stored && !memory.IsDisputed(query.Key) && memory.MayServe(query.Key, stored, mark))
        {
            if (memory.Find(query.Key) is { } later) return later;
            var found = Shareable(stored, query, mark, slots)!;
            memory.Store(query.Key, found, mark, slots);
            return found;
        }

        // A count in Redis may be older than this mark allows.
        var mayUseRedis = !query.IsFresh && mark.IsUpToDate;
        var read = await ReadAsync(query with { IsFresh = !mayUseRedis }, request, shared, mark, ct);
        var response = Shareable(read, query, mark, slots);
        if (response is null) memory.Remove(query.Key, mark);
        else memory.Store(query.Key, response, mark, slots);
        return response;
    }

    // Most pages after a cursor are requested once: in Redis they would cost as much as the read.
    private bool IsWorthSharing(CacheQuery query) => !query.IsCheap || recent.Add(query.Key);

    private async Task<CachedResponse?> ReadAsync(
        CacheQuery query, PageRequest request, SharedEntry? shared, FenceMark mark, CancellationToken ct)
    {
        var isStored = false;
        try
        {
            var response = await ReadAsync(query, request, ct);
            if (shared is not { } entry || response is null) return response;
            if (!memory.MayServe(query.Key, response, mark)) return response;
            await redis.StoreAsync(query, entry.Fence, response, ct);
            isStored = true;
            return response;
        }
        finally
        {
            if (shared is { HasLease: true } && !isStored) await redis.ReleaseAsync(query);
        }
    }

    // Waits for a while for the process that has the lease. Each look takes a new mark first, since a response that it
    // finds is stored in memory under that mark.
    private async Task<(FenceMark Mark, SharedEntry? Shared)> FindSharedAsync(
        CacheQuery query, TimeSpan longestWait, CancellationToken ct)
    {
        var began = clock.GetTimestamp();
        while (true)
        {
            var mark = fence.Mark();
            if (!mark.IsUpToDate) return (mark, null);
            var shared = await redis.FindAsync(query, ct);
            var isLeasedByOther = shared is { Response: null, HasLease: false };
            if (!isLeasedByOther || clock.GetElapsedTime(began) >= longestWait) return (mark, shared);
            await Task.Delay(pollInterval, clock, ct);
        }
    }

    private async Task<CachedResponse?> ReadAsync(CacheQuery query, PageRequest request, CancellationToken ct)
    {
        var total = request is NumberedPage ? await counts.CountAsync(request.List, query.IsFresh, ct) : 0;
        var page = await pages.ReadAsync(request, total, ct);
        metrics.Missed();
        if (page.Epoch is { } seen) epoch.Observe(seen);
        return page.Body is { } body ? CachedResponse.Of(body, page.Link) : null;
    }

    private CachedResponse? Shareable(CachedResponse? response, CacheQuery query, FenceMark mark, int[] slots) =>
        response is null ? null : response with { Shared = rules.Of(query.IsPublic, query.Tags, mark, slots) };
}
