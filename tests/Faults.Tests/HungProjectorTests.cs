using System.Diagnostics;
using System.Text.Json.Nodes;
using ApexShop.Resources;
using RabbitMQ.Client;
using Xunit.Abstractions;

namespace ApexShop.Faults.Tests;

/// <summary>
/// The active Projector is stopped by SIGSTOP under writes, while the kernel keeps its sessions open, and continues
/// later.
/// </summary>
public sealed class HungProjectorTests(ITestOutputHelper output)
{
    private const int Writers = 4;

    // RabbitMQ moves the queue within nine seconds, and PostgreSQL ends a transaction that hangs after eight. The limit
    // is larger, as other work may share the machine; the report has the measured times.
    private static readonly TimeSpan limit = TimeSpan.FromMinutes(1);

    private readonly FaultReport report = new(output);

    [Fact]
    public async Task A_hung_Projector_is_replaced_and_changes_nothing_when_it_continues()
    {
        await using var cluster = await ClusteredShop.StartAsync(ShopServers.Shared);
        var traffic = await Traffic.PrepareAsync(cluster.Shop, products: 30, users: 5, stock: 100_000);
        var client = new ShopClient(cluster.Shop);
        var category = (await client.CreateAsync(Resource.Categories.Name, Bodies.Category("Watched"))).Id;
        var watched = (await client.CreateAsync(Resource.Products.Name, Bodies.Product(category))).Id;
        await using var tap = await EventRecorder.BindAsync(cluster.Shop, Resource.Orders.Name);
        using var ending = new BlockCancellation();
        var follower = new LogFollower(cluster.Commands);
        var readers = new CacheReaders(cluster.Queries, [watched]);
        Task[] running = [
            follower.RunAsync(ending.Token), readers.RunAsync(ending.Token), WriteAsync(traffic, ending.Token),
        ];

        var took = new List<TimeSpan>();
        for (var round = 0; round < FaultPlan.Rounds; round++)
            took.Add(await TakeOverAsync(cluster, category, watched, version: round + 2));

        await ending.CancelAsync();
        await Task.WhenAll(running);
        report.Write(
            $"active Projector hung {took.Count} times: the next one's first document was visible after "
            + $"{FaultReport.Seconds(took)}");
        readers.WentBack.ShouldBeEmpty();
        await Convergence.HoldsAsync(cluster, follower, tap);
        await AuditFindsNothingAsync(cluster);
    }

    /// <summary>
    /// Stops the active Projector, changes a product, and lets it continue when every process serves the change and the
    /// other one has the queue.
    /// </summary>
    private static async Task<TimeSpan> TakeOverAsync(ClusteredShop cluster, int category, int product, long version)
    {
        var active = await cluster.ActiveProjectorAsync();
        await active.SignalAsync("STOP");
        var clock = Stopwatch.StartNew();
        try
        {
            var body = Bodies.Product(category, $"Version {version}");
            (await cluster.Commands[0].ReplaceAsync(Resource.Products.Name, product, body)).ShouldBe(version);
            foreach (var process in cluster.Queries)
            {
                var left = limit - clock.Elapsed;
                await Eventually.Holds(
                    async () => await CacheReaders.VersionAsync(process, product) >= version,
                    $"{process.Name} shows version {version}", left);
            }

            var took = clock.Elapsed;
            await OneConsumesAsync(cluster.Shop);
            return took;
        }
        finally
        {
            await active.SignalAsync("CONT");
            await active.ReadyAsync();
        }
    }

    private static async Task OneConsumesAsync(Shop shop)
    {
        await using var connection = await new ConnectionFactory { Uri = shop.Broker }.CreateConnectionAsync();
        await using var channel = await connection.CreateChannelAsync();
        await Eventually.Holds(
            async () => (await channel.QueueDeclarePassiveAsync(shop.ProjectorQueue)).ConsumerCount == 1,
            "RabbitMQ has ended the connection of the one that hangs",
            limit);
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

    private static async Task AuditFindsNothingAsync(ClusteredShop cluster)
    {
        // Commands.Api forwards the audit to a Projector, as for operators.
        using var response = await cluster.Commands[0].Http.PostAsync("/admin/audit", null);
        response.EnsureSuccessStatusCode();
        var lines = (await response.Content.ReadAsStringAsync()).Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => JsonNode.Parse(line)!).ToList();
        ((string)lines[^1]["kind"]!).ShouldBe("summary");
        lines.Where(line => (string)line["kind"]! == "difference").ShouldBeEmpty();
    }
}
