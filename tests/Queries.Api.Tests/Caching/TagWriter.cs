using ApexShop.Caching;
using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;
using StackExchange.Redis;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>Raises tags with the projector's own script, in the Redis of one app.</summary>
internal sealed class TagWriter(ConnectionMultiplexer redis, string prefix) : IDisposable
{
    public CacheNames Names { get; } = new(prefix);

    public IDatabase Redis => redis.GetDatabase();

    // The default of five seconds is too short on a loaded machine.
    public static async Task<TagWriter> ConnectAsync(string configuration, string prefix) =>
        new(await ConnectionMultiplexer.ConnectAsync($"{configuration},connectTimeout=30000"), prefix);

    public Task RaiseAsync(params string[] tags)
    {
        RedisKey[] keys =
            [Names.Announcements, Names.LastGeneration, .. tags.Select(tag => (RedisKey)Names.Generation(tag))];
        return Redis.ScriptEvaluateAsync(TagScript.Raise, keys, [Names.Channel, string.Join(' ', tags)]);
    }

    /// <summary>Raises and waits until the app has received the announcement.</summary>
    public async Task RaiseAsync(QueriesApp app, params string[] tags)
    {
        var fence = app.Services.GetRequiredService<TagFence>();
        var mark = fence.Mark();
        await RaiseAsync(tags);
        await Eventually.Holds(() => !fence.IsCurrent(mark, fence.SlotsOf(tags)), "the announcement is heard");
    }

    /// <summary>All values in Redis with the prefix, by key.</summary>
    public async Task<Dictionary<string, string>> AllAsync()
    {
        // The client's own listing of keys blocks for each page, possibly on the thread that has to read the
        // page: so no blocking call.
        var keys = (RedisKey[])(await Redis.ExecuteAsync("KEYS", $"{prefix}*"))!;
        var all = new Dictionary<string, string>();
        foreach (var key in keys)
        {
            if (await Redis.StringGetAsync(key) is { HasValue: true } value) all.Add(key!, value!);
        }

        return all;
    }

    public void Dispose() => redis.Dispose();
}
