using System.Net.Http.Json;
using System.Text.Json.Nodes;

namespace ApexShop.Faults.Tests;

/// <summary>A shop with a Redis of its own, which the Projector reaches by another way than Queries.Api.</summary>
public sealed class CutOffRedis : IAsyncLifetime, IDisposable
{
    private readonly PrivateRedis redis = new();
    private TcpProxy way = null!;

    public static string[] States { get; } = ["full", "read-only", "frozen", "out of the Projector's reach"];

    public Shop Shop { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        await redis.StartAsync();
        way = new TcpProxy(redis.Port);
        Shop = await Shop.StartAsync(ShopServers.Shared with { Redis = redis.Configuration });
        await Shop.Projector.KillAsync();
        Shop.Projector.Set("ConnectionStrings__Redis", $"127.0.0.1:{way.Port},connectTimeout=1000");
        await Shop.Projector.StartAsync();
    }

    public async Task DisposeAsync()
    {
        if (Shop is not null) await Shop.DisposeAsync();
    }

    public void Dispose()
    {
        way?.Dispose();
        redis.Dispose();
    }

    /// <summary>The keys of the pages that are in Redis.</summary>
    public Task<IReadOnlyList<string>> PagesAsync() => redis.KeysAsync($"{Shop.CachePrefix}answer:*");

    public Task BreakAsync(string state)
    {
        if (state == States[0]) return redis.ExecuteAsync("CONFIG SET maxmemory 1");
        if (state == States[1]) return redis.ExecuteAsync("REPLICAOF 127.0.0.1 1");
        if (state == States[2]) return redis.FreezeAsync();
        way.Cut();
        return Task.CompletedTask;
    }

    public async Task RepairAsync()
    {
        way.Restore();
        await redis.ContinueAsync();
        await redis.ExecuteAsync("REPLICAOF NO ONE");
        await redis.ExecuteAsync("CONFIG SET maxmemory 0");
    }

    /// <summary>Waits until Queries.Api reports this of the cache tags; it stays ready.</summary>
    public Task ReadyAsync(string cacheTags) => Eventually.Holds(
        async () =>
        {
            using var response = await Shop.Queries.Http.GetAsync("/health/ready");
            if (!response.IsSuccessStatusCode) return false;
            var ready = await response.Content.ReadFromJsonAsync<JsonNode>();
            return (string?)ready!["checks"]!["cacheTags"] == cacheTags;
        },
        $"the cache tags are {cacheTags}",
        TimeSpan.FromSeconds(60));
}
