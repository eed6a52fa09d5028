using System.Diagnostics;
using System.Diagnostics.Metrics;
using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>A Redis for this test is killed, paused and restarted under a running app.</summary>
public sealed class RedisUnavailableTests(CachedShop shop) : PrivateRedisTest(shop)
{
    private const int RedisUnavailable = 5001;

    [Fact]
    public async Task Without_Redis_responses_are_cached_for_seconds_and_with_it_again_as_before()
    {
        (await GaugeAsync()).ShouldBe(1);
        await Http.GetStringAsync("products/v2");
        await Shop.RenameAsync("products", 2, "while Redis was there");
        // Its first connection may have been slow.
        var before = App.Logged.Count(id => id == RedisUnavailable);
        await Redis.StopAsync();
        await Eventually.Holds(() => !Fence.IsLive, "the loss is noticed");
        (await GaugeAsync()).ShouldBe(0);

        // What was cached before is stale, what is read now is cached for seconds.
        (await Http.GetStringAsync("products/v2")).ShouldContain("while Redis was there");
        await Shop.RenameAsync("products", 2, "while it was unavailable");
        await Eventually.Holds(
            async () => (await Http.GetStringAsync("products/v2")).Contains("while it was unavailable"),
            "the seconds pass",
            TimeSpan.FromSeconds(20));

        App.Logged.Count(id => id == RedisUnavailable).ShouldBe(before + 1);
        await Shop.RenameAsync("products", 2, "before it came back");
        await Redis.StartAsync();
        await LiveAsync();
        (await Http.GetStringAsync("products/v2")).ShouldContain("before it came back");
        await TagsWorkAsync();
        (await GaugeAsync()).ShouldBe(1);
    }

    [Fact]
    public async Task A_Redis_that_hangs_is_detected_and_blocks_no_request()
    {
        await Redis.FreezeAsync();
        var slowest = TimeSpan.Zero;
        for (var page = 1; page < 40; page++)
        {
            var time = Stopwatch.StartNew();
            await Http.GetStringAsync($"products/v2?pageSize={page}");
            if (time.Elapsed > slowest) slowest = time.Elapsed;
        }

        // A request that waited for this Redis would wait until it continues.
        slowest.ShouldBeLessThan(TimeSpan.FromSeconds(20));
        await Eventually.Holds(() => !Fence.IsLive, "the silence is noticed");
        await Redis.ContinueAsync();
        await LiveAsync();
        await TagsWorkAsync();
    }

    [Fact]
    public async Task A_lost_connection_empties_the_memory_and_is_restored()
    {
        await Http.GetStringAsync("products/3");
        await Shop.RenameAsync("products", 3, "Changed while Redis was unavailable");
        using var writer = await TagWriter.ConnectAsync(Redis.Configuration, App.CachePrefix);
        var mark = Fence.Mark();
        await writer.Redis.ExecuteAsync("CLIENT", "KILL", "TYPE", "pubsub");
        await writer.RaiseAsync("products:3");

        await Eventually.Holds(() => !Fence.IsCurrent(mark, []), "the cut is noticed");
        (await Http.GetStringAsync("products/3")).ShouldContain("Changed while Redis was unavailable");
        await LiveAsync();
        await TagsWorkAsync();
    }

    [Fact]
    public async Task A_lost_announcement_is_detected_within_seconds()
    {
        await Http.GetStringAsync("products/4");
        await Shop.RenameAsync("products", 4, "announced to no one");
        using var writer = await TagWriter.ConnectAsync(Redis.Configuration, App.CachePrefix);
        await writer.Redis.StringIncrementAsync(writer.Names.Announcements);

        await Eventually.Holds(async () =>
            (await Http.GetStringAsync("products/4")).Contains("announced to no one"), "the echo shows the gap");
        Fence.IsLive.ShouldBeTrue();
    }

    [Fact]
    public async Task A_process_starts_and_answers_without_Redis()
    {
        await using var alone = new QueriesApp(Shop.Database.Queries).WithCache()
            .With("ConnectionStrings:Redis", "127.0.0.1:1,connectTimeout=500");
        using var client = alone.CreateClient();
        (await client.GetStringAsync("products/v2")).ShouldBe(await client.GetStringAsync("products/v2"));
        await Eventually.Holds(() => alone.Logged.Contains(RedisUnavailable), "it is said");
        alone.Logged.Count(id => id == RedisUnavailable).ShouldBe(1);
    }

    private async Task TagsWorkAsync()
    {
        using var writer = await TagWriter.ConnectAsync(Redis.Configuration, App.CachePrefix);
        var name = "";
        await Eventually.Holds(
            async () =>
            {
                var before = await Http.GetStringAsync("products/6");
                name = $"renamed {Guid.NewGuid()}";
                await Shop.RenameAsync("products", 6, name);
                return await Http.GetStringAsync("products/6") == before;
            },
            "a document is cached");
        await writer.RaiseAsync(App, "products:6");
        (await Http.GetStringAsync("products/6")).ShouldContain(name);
    }

    private Task<int> GaugeAsync()
    {
        var up = new TaskCompletionSource<int>();
        using var listener = new MeterListener();
        var factory = App.Services.GetRequiredService<IMeterFactory>();
        listener.InstrumentPublished = (instrument, self) =>
        {
            if (instrument.Name == "apexshop.cache.redis_up" && instrument.Meter.Scope == factory)
                self.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<int>((_, value, _, _) => up.TrySetResult(value));
        listener.Start();
        listener.RecordObservableInstruments();
        return up.Task.WaitAsync(TimeSpan.FromSeconds(5));
    }
}
