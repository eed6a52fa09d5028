using ApexShop.Caching;
using ApexShop.Projector.Intake;
using StackExchange.Redis;

namespace ApexShop.Projector.CacheInvalidation;

/// <summary>
/// Raises the generations of cache tags and announces them. Redis missing is a state: it is said once, tried again
/// after a second, and nothing waits for it longer than the time limit.
/// </summary>
internal sealed class TagGenerations(
    RedisConnection redis, CacheNames names, TimeProvider clock, ILogger<TagGenerations> logger)
{
    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    private long awaySince;

    /// <summary>Whether the last attempt to tell Redis came to nothing.</summary>
    public bool IsUnavailable => Volatile.Read(ref awaySince) != 0;

    /// <summary>How long a batch may be held up by a Redis that does not answer.</summary>
    public TimeSpan Limit { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>False when Redis could not be told.</summary>
    public async Task<bool> RaiseAsync(IReadOnlyCollection<string> tags, CancellationToken ct)
    {
        if (Volatile.Read(ref awaySince) is var since and not 0 && clock.GetElapsedTime(since) < pause) return false;

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
            // This client never gives up a call by itself while Redis hangs.
            await connection.GetDatabase()
                .ScriptEvaluateAsync(TagScript.Raise, keys, arguments, CommandFlags.NoScriptCache)
                .WaitAsync(Limit, clock, ct);
        }
        catch (Exception exception) when (exception is RedisException or TimeoutException)
        {
            if (Interlocked.Exchange(ref awaySince, clock.GetTimestamp()) == 0) logger.RedisUnavailable(exception.Message);
            return false;
        }

        if (Interlocked.Exchange(ref awaySince, 0) != 0) logger.RedisBack();
        return true;
    }
}
