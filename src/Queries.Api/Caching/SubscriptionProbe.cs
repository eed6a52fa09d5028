using ApexShop.Caching;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// A message that this process publishes on the channel of the announcements and receives itself. It proves that the
/// subscription works; the number of the last announcement before it shows whether one was lost.
/// </summary>
internal static class SubscriptionProbe
{
    /// <summary>The first word of a probe; an announcement begins with its number.</summary>
    public const string Word = "?";

    /// <summary>Sends the number and generation of the last announcement before the probe.</summary>
    public const string Script = """
        local last = redis.call('MGET', KEYS[1], KEYS[2])
        redis.call('PUBLISH', ARGV[1], '? ' .. (last[1] or '0') .. ' ' .. (last[2] or '0') .. ' ' .. ARGV[2])
        """;

    public static Task SendAsync(
        RedisConnection redis, CacheNames names, string name, TimeSpan within, CancellationToken ct) =>
        redis.TryEvaluateAsync(Script, [names.Announcements, names.LastGeneration], [names.Channel, name], within, ct);
}
