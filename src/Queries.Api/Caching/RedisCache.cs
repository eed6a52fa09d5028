using System.Globalization;
using System.Text;
using ApexShop.Caching;
using Microsoft.Extensions.Options;
using StackExchange.Redis;

namespace ApexShop.Queries.Api.Caching;

/// <summary>Responses that all processes share.</summary>
internal interface ISharedCache
{
    /// <summary>Null when the cache is unavailable.</summary>
    Task<SharedEntry?> FindAsync(CacheQuery query, CancellationToken ct);

    /// <summary>Stores a response under the fence that was found before it was read, and releases its lease.</summary>
    Task StoreAsync(CacheQuery query, string fence, CachedResponse response, CancellationToken ct);

    /// <summary>Releases a lease without a response, so that no process waits for one that will not come.</summary>
    Task ReleaseAsync(CacheQuery query);
}

/// <summary>
/// The fence for a response read now, the current response, if any, and whether the lease was acquired.
/// </summary>
internal readonly record struct SharedEntry(string Fence, CachedResponse? Response, bool HasLease);

/// <summary>
/// Responses in Redis. An entry begins with the generations that its tags had before it was read, and is served only
/// while Redis has the same generations.
/// </summary>
internal sealed class RedisCache(
    RedisConnection redis, CacheNames names, IOptions<CachingOptions> options, CacheMetrics metrics)
    : ISharedCache
{
    private const int LeaseMilliseconds = 2_000;

    // A tag without a generation (never raised, expired, evicted) gets a new one, by the rule of TagScript.Raise: an
    // entry from before it was lost must not count as current.
    internal const string FindScript = """
        local generations = redis.call('MGET', unpack(KEYS, 4))
        local made
        for i, generation in ipairs(generations) do
            if not generation then
                if not made then
                    local time = redis.call('TIME')
                    local last = tonumber(redis.call('GET', KEYS[3])) or 0
                    made = string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2]))
                    redis.call('SET', KEYS[3], made)
                end
                redis.call('SET', KEYS[i + 3], made, 'EX', 3600)
                generations[i] = made
            end
        end
        local fence = table.concat(generations, ' ') .. '\n'
        local head = redis.call('GETRANGE', KEYS[1], 0, #fence - 1)
        if head == fence then return {fence, redis.call('GET', KEYS[1])} end
        local leads = redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2])
        return {fence, false, leads and 1 or 0, #head}
        """;

    internal const string StoreScript = """
        redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
        if redis.call('GET', KEYS[2]) == ARGV[3] then redis.call('DEL', KEYS[2]) end
        """;

    internal const string ReleaseScript =
        "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end";

    private readonly string lease = Guid.NewGuid().ToString("N");

    public async Task<SharedEntry?> FindAsync(CacheQuery query, CancellationToken ct)
    {
        var (key, leaseKey) = Keys(query);
        RedisKey[] keys =
            [key, leaseKey, names.LastGeneration, .. query.Tags.Select(tag => (RedisKey)names.Generation(tag))];
        if (await redis.EvaluateAsync(FindScript, keys, [lease, LeaseMilliseconds], ct) is not { } found) return null;

        var parts = (RedisResult[])found!;
        var fence = (string)parts[0]!;
        if ((byte[]?)parts[1] is { } entry)
        {
            // A count is not a response: its page is read nevertheless.
            if (!query.IsCount) metrics.Hit(CacheMetrics.Redis);
            return new SharedEntry(fence, Unpack(entry.AsMemory(fence.Length)), false);
        }

        if ((int)parts[3] > 0 && !query.IsCount) metrics.Stale(CacheMetrics.Redis);
        return new SharedEntry(fence, null, (int)parts[2] == 1);
    }

    public async Task StoreAsync(CacheQuery query, string fence, CachedResponse response, CancellationToken ct)
    {
        if (response.Body.Length > CachingOptions.LargestResponse)
        {
            await ReleaseAsync(query);
            return;
        }

        var (key, leaseKey) = Keys(query);
        var seconds = query.IsCount ? options.Value.CountSeconds : options.Value.RedisSeconds;
        await redis.EvaluateAsync(StoreScript, [key, leaseKey], [Pack(fence, response), seconds, lease], ct);
    }

    // Whether or not the request that got the lease still waits.
    public Task ReleaseAsync(CacheQuery query) =>
        redis.EvaluateAsync(ReleaseScript, [Keys(query).Lease], [lease], CancellationToken.None);

    private static byte[] Pack(string fence, CachedResponse response)
    {
        var head = Encoding.UTF8.GetBytes($"{fence}{response.ETag}\n{response.Link}\n");
        return [.. head, .. response.Body.Span];
    }

    private static CachedResponse Unpack(ReadOnlyMemory<byte> entry)
    {
        var etag = Line(ref entry);
        var link = Line(ref entry);
        return new CachedResponse(entry, etag, link.Length > 0 ? link : null);
    }

    private static string Line(ref ReadOnlyMemory<byte> entry)
    {
        var end = entry.Span.IndexOf((byte)'\n');
        var line = Encoding.UTF8.GetString(entry.Span[..end]);
        entry = entry[(end + 1)..];
        return line;
    }

    private (RedisKey Response, RedisKey Lease) Keys(CacheQuery query)
    {
        var key = string.Create(CultureInfo.InvariantCulture, $"{names.Prefix}answer:{query.Epoch}:{query.Key}");
        return (key, $"{key} lease");
    }
}
