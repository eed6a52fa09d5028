using System.Diagnostics;
using ApexShop.Resources;
using Xunit.Abstractions;

namespace ApexShop.Faults.Tests;

/// <summary>The leader and the active Projector are killed repeatedly under load.</summary>
public sealed class FailoverTests(ITestOutputHelper output)
{
    private const int Writers = 4;
    private const int Warm = 200;

    // Much longer than the documented limits, as other work may share the machine; the report has the measured times.
    private static readonly TimeSpan limit = TimeSpan.FromMinutes(1);

    private readonly FaultReport report = new(output);

    [Fact]
    public async Task Standbys_take_over_and_nothing_is_lost_duplicated_or_stale()
    {
        await using var cluster = await ClusteredShop.StartAsync(ShopServers.Shared);
        var traffic = await Traffic.PrepareAsync(cluster.Shop, products: 30, users: 5, stock: 100_000);
        traffic.Through(cluster.Commands);
        var client = new ShopClient(cluster.Shop);
        var category = (await client.CreateAsync(Resource.Categories.Name, Bodies.Category("Watched"))).Id;
        var watched = (await client.CreateAsync(Resource.Products.Name, Bodies.Product(category))).Id;
        await using var tap = await EventRecorder.BindAsync(cluster.Shop, Resource.Orders.Name);
        using var ending = new BlockCancellation();
        var follower = new LogFollower(cluster.Commands);
        var readers = new CacheReaders(cluster.Queries, [watched]);
        Task[] watching = [follower.RunAsync(ending.Token), readers.RunAsync(ending.Token)];
        var writing = WriteAsync(traffic, ending.Token);
        await Eventually.Holds(
            () => traffic.Acknowledged.Count > Warm, "all clients are running", TimeSpan.FromMinutes(1));

        var leader = new List<TimeSpan>();
        var projector = new List<TimeSpan>();
        var version = 1L;
        for (var round = 0; round < FaultPlan.Rounds; round++)
        {
            leader.Add(await TakeOverAsync(cluster, await cluster.LeaderAsync(), category, watched, ++version));
            projector.Add(
                await TakeOverAsync(cluster, await cluster.ActiveProjectorAsync(), category, watched, ++version));
        }

        await ending.CancelAsync();
        await Task.WhenAll([.. watching, writing]);
        report.Write(
            $"leader killed {leader.Count} times: the next one's first event was visible after "
            + $"{FaultReport.Seconds(leader)}");
        report.Write(
            $"active Projector killed {projector.Count} times: the next one's first document was visible after "
            + $"{FaultReport.Seconds(projector)}");
        report.Write(
            $"  meanwhile {traffic.Acknowledged.Count} aggregates written ({traffic.Retries} requests sent "
            + $"again), {readers.Responses} documents read ({readers.WentBack.Count} went back)");
        readers.WentBack.ShouldBeEmpty();
        readers.Responses.ShouldBeGreaterThan(100);
        await Convergence.HoldsAsync(cluster, follower, tap);
    }

    /// <summary>
    /// Kills the process and changes a cached product; returns the time until every process serves the change.
    /// </summary>
    private static async Task<TimeSpan> TakeOverAsync(
        ClusteredShop cluster, ShopProcess victim, int category, int product, long version)
    {
        await AllShowAsync(cluster, product, version - 1);
        var survivor = cluster.Commands.First(process => process != victim);
        var clock = Stopwatch.StartNew();
        await victim.KillAsync();
        (await survivor.ReplaceAsync(Resource.Products.Name, product, Bodies.Product(category, $"Version {version}")))
            .ShouldBe(version);
        await AllShowAsync(cluster, product, version);
        var took = clock.Elapsed;
        // A Projector that reads the event log shows changes that no process publishes, too.
        await Eventually.Holds(
            () => cluster.State.Database.ScalarAsync<bool>($"""
                SELECT published.position >= changed.position
                FROM shop.log_positions AS published, shop.events AS changed
                WHERE published.name = 'published' AND changed.resource = 'products'
                    AND changed.aggregate_id = {product} AND changed.version = {version}
                """),
            "the other one publishes the change", limit);
        await victim.StartAsync();
        return took;
    }

    private static async Task AllShowAsync(ClusteredShop cluster, int product, long version)
    {
        foreach (var process in cluster.Queries)
        {
            await Eventually.Holds(
                async () => await CacheReaders.VersionAsync(process, product) == version,
                $"{process.Name} shows version {version}", limit);
        }
    }

    private static Task WriteAsync(Traffic traffic, CancellationToken ct) =>
        Task.WhenAll(Enumerable.Range(0, Writers).Select(async writer =>
    {
        var random = new Random(writer);
        while (!ct.IsCancellationRequested)
        {
            await traffic.AnythingAsync(random);
            await Task.Delay(10, CancellationToken.None);
        }
    }));
}
