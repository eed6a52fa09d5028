using ApexShop.Caching;
using ApexShop.Projector.Hosting;
using StackExchange.Redis;

namespace ApexShop.Projector.Caching;

/// <summary>
/// Raises the generations of cache tags and announces them. Redis missing is a state: it is said once, tried again
/// after a second, and nothing waits for it longer than the time limit.
/// </summary>
internal sealed class TagGenerations(RedisConnection redis, TimeProvider clock, ILogger<TagGenerations> logger)
{
    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    // A generation only grows, also past the loss of Redis: its clock in microseconds is far ahead of any count of
    // changes. One number serves all tags of a call: it is above every number given before, theirs included. After an
    // hour nobody holds an answer with the old one. An announcement is its number, the generation and the tags.
    private const string Script = """
        local time = redis.call('TIME')
        local last = tonumber(redis.call('GET', KEYS[2])) or 0
        local generation = string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2]))
        redis.call('SET', KEYS[2], generation)
        for i = 3, #KEYS do
            redis.call('SET', KEYS[i], generation, 'EX', 3600)
        end
        redis.call('PUBLISH', ARGV[1], redis.call('INCR', KEYS[1]) .. ' ' .. generation .. ' ' .. ARGV[2])
        """;

    private long awaySince;

    /// <summary>How long a batch may be held up by a Redis that does not answer.</summary>
    public TimeSpan Limit { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>False when Redis could not be told.</summary>
    public async Task<bool> RaiseAsync(IReadOnlyCollection<string> tags, CancellationToken ct)
    {
        if (Volatile.Read(ref awaySince) is var since and not 0 && clock.GetElapsedTime(since) < pause) return false;

        RedisKey[] keys =
        [
            CacheTags.AnnouncementsKey,
            CacheTags.LastGenerationKey,
            .. tags.Select(tag => (RedisKey)(CacheTags.KeyPrefix + tag)),
        ];
        RedisValue[] arguments = [CacheTags.Channel, string.Join(' ', tags)];
        try
        {
            var connection = await redis.ConnectAsync().WaitAsync(Limit, clock, ct);
            // This client never gives up a call by itself while Redis hangs.
            await connection.GetDatabase()
                .ScriptEvaluateAsync(Script, keys, arguments, CommandFlags.NoScriptCache)
                .WaitAsync(Limit, clock, ct);
        }
        catch (Exception exception) when (exception is RedisException or TimeoutException)
        {
            if (Interlocked.Exchange(ref awaySince, clock.GetTimestamp()) == 0) logger.RedisAway(exception.Message);
            return false;
        }

        if (Interlocked.Exchange(ref awaySince, 0) != 0) logger.RedisBack();
        return true;
    }
}
