using ApexShop.Caching;
using StackExchange.Redis;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// A message that this process publishes on the channel of the announcements and receives itself. It proves that the
/// subscription works; the number of the last announcement before it shows whether one was lost.
/// </summary>
internal static class SubscriptionProbe
{
    /// <summary>The first word of a probe; an announcement begins with its number.</summary>
    public const string Word = "?";

    /// <summary>
    /// Publishes the number and generation of the last announcement before the probe; or gives the identity of a Redis
    /// that is another one than that which wrote the generations.
    /// </summary>
    // PERSIST changes nothing, but it is a write: a Redis that was cut off from its replicas (min-replicas-to-write),
    // or became a replica, refuses it and proves nothing. One that is full accepts it.
    public const string Script = """
        redis.call('PERSIST', KEYS[3])
        local identity = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
        if redis.call('GET', KEYS[3]) ~= identity then return identity end
        local last = redis.call('MGET', KEYS[1], KEYS[2])
        redis.call('PUBLISH', ARGV[1], '? ' .. (last[1] or '0') .. ' ' .. (last[2] or '0') .. ' ' .. ARGV[2])
        """;

    // A replica that was promoted may lack the last raised tags: everything that was cached before is invalidated. The
    // identity's key is an argument, because every key from the third on gets a generation.
    internal const string IdentifyScript = $"""
        {TagScript.Raise}
        redis.call('SET', ARGV[3], ARGV[4])
        """;

    public static async Task SendAsync(
        RedisConnection redis, CacheNames names, string name, TimeSpan within, CancellationToken ct)
    {
        if (await SendAsync() is not { IsNull: false } identity) return;
        await redis.TryEvaluateAsync(
            IdentifyScript,
            [names.Announcements, names.LastGeneration, names.Generation(CacheTags.Everything)],
            [names.Channel, CacheTags.Everything, names.Identity, (string?)identity],
            within,
            ct);
        await SendAsync();

        Task<RedisResult?> SendAsync() => redis.TryEvaluateAsync(
            Script, [names.Announcements, names.LastGeneration, names.Identity], [names.Channel, name], within, ct);
    }
}
