using System.Globalization;
using System.Text;
using ApexShop.Caching;
using Microsoft.Extensions.Options;
using StackExchange.Redis;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// Answers that all processes share. One begins with the generations that its tags had before it was read, and is
/// served only while Redis itself has the same.
/// </summary>
internal sealed class RedisLevel(
    RedisConnection redis, CacheNames names, IOptions<CachingOptions> options, CacheMetrics metrics)
    : ISharedLevel
{
    private const int LeaseMilliseconds = 2_000;

    // A tag without a generation (never raised, expired, dropped for want of memory) gets a new one, by the rule of
    // TagScript.Raise: an answer from before it was lost must not be taken for current.
    private const string Lookup = """
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

    private const string Store = """
        redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
        if redis.call('GET', KEYS[2]) == ARGV[3] then redis.call('DEL', KEYS[2]) end
        """;

    private readonly string lease = Guid.NewGuid().ToString("N");

    public async Task<SharedAnswer?> FindAsync(Question question, CancellationToken ct)
    {
        var (key, leaseKey) = Keys(question);
        RedisKey[] keys = [key, leaseKey, names.LastGeneration, .. question.Tags.Select(tag => (RedisKey)names.Generation(tag))];
        RedisValue[] arguments = [lease, LeaseMilliseconds];
        var (isAnswered, found) = await redis.AskAsync(
            database => database.ScriptEvaluateAsync(Lookup, keys, arguments, CommandFlags.NoScriptCache), ct);
        if (!isAnswered) return null;

        var parts = (RedisResult[])found!;
        var fence = (string)parts[0]!;
        if ((byte[]?)parts[1] is { } kept)
        {
            metrics.Hit(CacheMetrics.Redis);
            return new SharedAnswer(fence, Unpack(kept.AsMemory(fence.Length)), false);
        }

        if ((int)parts[3] > 0) metrics.StaleRefused(CacheMetrics.Redis);
        return new SharedAnswer(fence, null, (int)parts[2] == 1);
    }

    public async Task KeepAsync(Question question, string fence, Answer answer, CancellationToken ct)
    {
        if (answer.Body.Length > CachingOptions.LargestAnswer) return;
        var (key, leaseKey) = Keys(question);
        var seconds = question.IsCount ? options.Value.CountSeconds : options.Value.RedisSeconds;
        RedisValue[] arguments = [Pack(fence, answer), seconds, lease];
        await redis.AskAsync(
            database => database.ScriptEvaluateAsync(Store, [key, leaseKey], arguments, CommandFlags.NoScriptCache), ct);
    }

    private static byte[] Pack(string fence, Answer answer)
    {
        var head = Encoding.UTF8.GetBytes($"{fence}{answer.ETag}\n{answer.Link}\n");
        return [.. head, .. answer.Body.Span];
    }

    private static Answer Unpack(ReadOnlyMemory<byte> kept)
    {
        var etag = Line(ref kept);
        var link = Line(ref kept);
        return new Answer(kept, etag, link.Length > 0 ? link : null);
    }

    private static string Line(ref ReadOnlyMemory<byte> kept)
    {
        var end = kept.Span.IndexOf((byte)'\n');
        var line = Encoding.UTF8.GetString(kept.Span[..end]);
        kept = kept[(end + 1)..];
        return line;
    }

    private (RedisKey Answer, RedisKey Lease) Keys(Question question)
    {
        var key = string.Create(CultureInfo.InvariantCulture, $"{names.Prefix}answer:{question.Epoch}:{question.Key}");
        return (key, $"{key} lease");
    }
}
