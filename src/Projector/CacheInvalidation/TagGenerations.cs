using ApexShop.Caching;
using ApexShop.Hosting;
using StackExchange.Redis;

namespace ApexShop.Projector.CacheInvalidation;

/// <summary>
/// Raises the generations of cache tags and announces them. While Redis is unavailable, that is logged once, another
/// attempt is made after a quarter of a second, and no batch waits longer than the time limit.
/// </summary>
internal sealed class TagGenerations(
    RedisConnection redis, CacheNames names, TimeProvider clock, ILogger<TagGenerations> logger)
{
    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(250);

    private long unavailableSince;

    /// <summary>Whether the last attempt failed, or the next one would: also before the first.</summary>
    public bool IsUnavailable => Volatile.Read(ref unavailableSince) != 0 || !redis.IsConnected;

    /// <summary>How long a batch waits for a Redis that does not respond.</summary>
    public TimeSpan Limit { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>Waits until the client has connected or failed, which may take longer than a batch waits.</summary>
    public async Task ConnectAsync(CancellationToken ct) => await ((Task)redis.ConnectAsync().WaitAsync(ct))
        .WithoutThrowing();

    /// <summary>False when Redis is unavailable.</summary>
    public async Task<bool> RaiseAsync(IReadOnlyCollection<string> tags, CancellationToken ct)
    {
        if (Volatile.Read(ref unavailableSince) is var since and not 0 && clock.GetElapsedTime(since) < pause)
            return false;

        RedisKey[] keys =
        [
            names.Announcements,
            names.LastGeneration,
            .. tags.Select(tag => (RedisKey)names.Generation(tag)),
        ];
        RedisValue[] arguments = [names.Channel, string.Join(' ', tags)];
        try
        {
            var connection = await redis.ConnectAsync().WaitAsync(Limit, clock, ct);
            // This client has no time limit of its own while Redis does not respond.
            await connection.GetDatabase()
                .ScriptEvaluateAsync(TagScript.Raise, keys, arguments, CommandFlags.NoScriptCache)
                .WaitAsync(Limit, clock, ct);
        }
        catch (Exception exception) when (exception is RedisException or TimeoutException)
        {
            if (Interlocked.Exchange(ref unavailableSince, clock.GetTimestamp()) == 0)
                logger.RedisUnavailable(exception.Message);
            return false;
        }

        if (Interlocked.Exchange(ref unavailableSince, 0) != 0) logger.RedisBack();
        return true;
    }
}
