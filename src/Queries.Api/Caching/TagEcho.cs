using ApexShop.Caching;
using StackExchange.Redis;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// A message of this process to itself on the channel of the announcements: heard, it proves that the subscription
/// stands and that Redis answers; the number of announcements before it proves that none was lost.
/// </summary>
internal static class TagEcho
{
    public const string Word = "?";

    // Its number and generation are those of the last announcement before it.
    private const string Script = """
        local last = redis.call('MGET', KEYS[1], KEYS[2])
        redis.call('PUBLISH', ARGV[1], '? ' .. (last[1] or '0') .. ' ' .. (last[2] or '0') .. ' ' .. ARGV[2])
        """;

    public static Task<RedisResult> SendAsync(IDatabase redis, CacheNames names, string name) => redis.ScriptEvaluateAsync(
        Script, [names.Announcements, names.LastGeneration], [names.Channel, name], CommandFlags.NoScriptCache);
}
