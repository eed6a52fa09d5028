using System.Diagnostics;
using ApexShop.Resources;
using Xunit.Abstractions;

namespace ApexShop.Faults.Tests;

/// <summary>
/// PostgreSQL, RabbitMQ and Redis are killed and restarted under load, with several of each process.
/// </summary>
public sealed class ServersUnavailableTests(ITestOutputHelper output)
{
    private const int Writers = 4;

    private readonly FaultReport report = new(output);

    [Fact]
    public async Task Everything_converges_after_the_restart()
    {
        await using var servers = await PrivateServers.StartAsync();
        await using var cluster = await ClusteredShop.StartAsync(servers.Addresses);
        var traffic = await Traffic.PrepareAsync(cluster.Shop, products: 20, users: 4, stock: 100_000);
        traffic.Through(cluster.Commands);
        await using var tap = await EventRecorder.BindAsync(cluster.Shop, Resource.Orders.Name);
        using var ending = new BlockCancellation();
        var follower = new LogFollower(cluster.Commands);
        Task[] load =
        [
            follower.RunAsync(ending.Token),
            .. Enumerable.Range(0, Writers).Select(writer => WriteAsync(traffic, new Random(writer), ending.Token)),
        ];

        for (var round = 0; round < Math.Max(1, FaultPlan.Rounds / 4); round++)
        {
            foreach (var (name, kill, start) in servers.All)
                await UnavailableAsync(cluster, traffic, name, kill, start);
        }

        await ending.CancelAsync();
        await Task.WhenAll(load);
        report.Write(
            $"  meanwhile {traffic.Acknowledged.Count} aggregates written ({traffic.Retries} requests sent again)");
        await Convergence.HoldsAsync(cluster, follower, tap);
    }

    private async Task UnavailableAsync(
        ClusteredShop cluster, Traffic traffic, string server, Func<Task> kill, Func<Task> back)
    {
        var before = traffic.Acknowledged.Count;
        await Eventually.Holds(
            () => traffic.Acknowledged.Count > before + 20, $"writes go on before {server} is killed");
        var sent = traffic.Retries;
        await kill();
        // Long enough for all processes to notice, measured in writes if these continue without the server.
        await Eventually.Holds(
            () => traffic.Acknowledged.Count > before + 60
                || traffic.Retries > sent + 10, $"{server} is noticed as unavailable");
        await back();
        var clock = Stopwatch.StartNew();
        var category = await new ShopClient(cluster.Shop)
            .CreatedAsync(Resource.Categories.Name, Bodies.Category($"After {server} {Guid.NewGuid():N}"));
        foreach (var process in cluster.Queries)
        {
            await Eventually.Holds(
                () => ShowsAsync(process, category), $"{process.Name} shows what was written after {server} was back",
                TimeSpan.FromSeconds(60));
        }

        report.Write(
            $"{server} killed and back: a new change was visible everywhere after "
            + $"{FaultReport.Seconds([clock.Elapsed])}");
    }

    private static async Task<bool> ShowsAsync(ShopProcess process, int category)
    {
        try
        {
            using var response = await process.Http.GetAsync($"/categories/{category}");
            return response.IsSuccessStatusCode;
        }
        catch (Exception failed) when (ShopProcess.IsDisconnect(failed))
        {
            return false;
        }
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
