using System.Diagnostics;
using ApexShop.Events;
using Xunit.Abstractions;

namespace ApexShop.Faults.Tests;

/// <summary>PostgreSQL, RabbitMQ and Redis are killed under load, with several of each process, and come back.</summary>
public sealed class ServersAwayTests(ITestOutputHelper output) : IAsyncLifetime
{
    private const int Writers = 4;

    private readonly FaultReport report = new(output);
    private readonly RedisServer redis = new();
    private PrivatePostgres postgres = null!;
    private PrivateBroker broker = null!;

    public async Task InitializeAsync()
    {
        var (database, queue, cache) = (PrivatePostgres.StartAsync(), PrivateBroker.StartAsync(), redis.StartAsync());
        (postgres, broker) = (await database, await queue);
        await cache;
    }

    public async Task DisposeAsync()
    {
        redis.Dispose();
        await broker.DisposeAsync();
        await postgres.DisposeAsync();
    }

    [Fact]
    public async Task Everything_converges_when_they_are_back()
    {
        await using var cluster = await ClusteredShop.StartAsync(new ShopServers(postgres.Superuser, broker.Url, redis.Configuration));
        var traffic = await Traffic.PrepareAsync(cluster.Shop, products: 20, users: 4, stock: 100_000);
        traffic.Through(cluster.Commands);
        await using var tap = await EventTap.BindAsync(cluster.Shop, Resources.Orders);
        using var ending = new CancellationTokenSource();
        var follower = new LogFollower(cluster.Commands);
        Task[] load =
        [
            follower.RunAsync(ending.Token),
            .. Enumerable.Range(0, Writers).Select(writer => WriteAsync(traffic, new Random(writer), ending.Token)),
        ];

        for (var round = 0; round < Math.Max(1, FaultPlan.Rounds / 4); round++)
        {
            await AwayAsync(cluster, traffic, "Redis", redis.StopAsync, redis.StartAsync);
            await AwayAsync(cluster, traffic, "RabbitMQ", broker.Node.KillAsync, () => BackAsync(broker.Node, broker.ReadyAsync));
            await AwayAsync(cluster, traffic, "PostgreSQL", postgres.Node.KillAsync, () => BackAsync(postgres.Node, postgres.ReadyAsync));
        }

        await ending.CancelAsync();
        await Task.WhenAll(load);
        report.Say($"  meanwhile {traffic.Acknowledged.Count} aggregates written ({traffic.Retries} requests sent again)");
        await Convergence.HoldsAsync(cluster, follower, tap);
    }

    private async Task AwayAsync(ClusteredShop cluster, Traffic traffic, string server, Func<Task> kill, Func<Task> back)
    {
        var told = traffic.Acknowledged.Count;
        await Eventually.Holds(() => traffic.Acknowledged.Count > told + 20, $"writes go on before {server} is killed");
        var sent = traffic.Retries;
        await kill();
        // Long enough for everybody to notice, by writes where they go on without it.
        await Eventually.Holds(() => traffic.Acknowledged.Count > told + 60 || traffic.Retries > sent + 10, $"{server} is missed");
        await back();
        var clock = Stopwatch.StartNew();
        var category = await new ShopClient(cluster.Shop).CreatedAsync(Resources.Categories, Bodies.Category($"After {server} {Guid.NewGuid():N}"));
        foreach (var process in cluster.Queries)
        {
            await Eventually.Holds(() => ShowsAsync(process, category), $"{process.Name} shows what was written after {server} was back", TimeSpan.FromSeconds(60));
        }

        report.Say($"{server} killed and back: a new change was visible everywhere after {FaultReport.Seconds([clock.Elapsed])}");
    }

    private static async Task<bool> ShowsAsync(ShopProcess process, int category)
    {
        try
        {
            using var answer = await process.Http.GetAsync($"/categories/{category}");
            return answer.IsSuccessStatusCode;
        }
        catch (HttpRequestException)
        {
            return false;
        }
    }

    private static async Task BackAsync(ServerProcess server, Func<Task> ready)
    {
        server.Start();
        await ready();
    }

    private static async Task WriteAsync(Traffic traffic, Random random, CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            await traffic.AnythingAsync(random);
            await Task.Delay(10, CancellationToken.None);
        }
    }
}
