using System.Globalization;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.Resources;
using Xunit.Abstractions;

namespace ApexShop.Faults.Tests;

/// <summary>Every process is stopped by a signal under load, one after the other, and started again.</summary>
public sealed class GracefulStopTests(ITestOutputHelper output)
{
    private const int Clients = 3;

    private static readonly string[] reads =
        ["/products/cursor?pageSize=20", "/products/v2", "/products/stream", "/products/export/ndjson", "/orders/v2"];

    private readonly FaultReport report = new(output);

    [Fact]
    public async Task No_request_fails_during_a_rolling_restart_of_every_process()
    {
        // The load balancer probes ten times a second; in this time it does so also on a machine that pauses.
        await using var cluster = await ClusteredShop.StartAsync(
            ShopServers.Shared, ("Stopping__DrainSeconds", "10"), ("Streaming__Exports", "100000"));
        var client = new ShopClient(cluster.Shop);
        var category = await client.CreateAsync(Resource.Categories.Name, Bodies.Category("Rolled"));
        var products = new List<int>();
        for (var i = 0; i < 20; i++)
            products.Add((await client.CreateAsync(Resource.Products.Name, Bodies.Product(category.Id))).Id);
        await cluster.State.ProjectedAsync();
        await using var tap = await EventRecorder.BindAsync(cluster.Shop, Resource.Orders.Name);
        using var commands = new LoadBalancer(cluster.Commands);
        using var queries = new LoadBalancer(cluster.Queries);
        using var ending = new BlockCancellation();
        var follower = new LogFollower(cluster.Commands);
        Task[] load =
        [
            commands.ProbeAsync(ending.Token), queries.ProbeAsync(ending.Token), follower.RunAsync(ending.Token),
            .. Enumerable.Range(0, Clients)
            .Select(writer => WriteAsync(commands, category.Id, products, new Random(writer), ending.Token)),
            .. Enumerable.Range(0, Clients)
            .Select(reader => ReadAsync(queries, products, new Random(reader), ending.Token)),
        ];

        // The short run restarts three processes: one of each kind, the leading or active ones.
        ShopProcess[] stopped = FaultPlan.IsLong
            ? [.. cluster.All]
            : [await cluster.LeaderAsync(), await cluster.ActiveProjectorAsync(), cluster.Queries[0]];
        var exits = await RollAsync(stopped);
        await ending.CancelAsync();
        await Task.WhenAll(load);

        report.Write(
            $"{stopped.Length} processes stopped by SIGTERM one after the other: "
            + $"{commands.Answered + queries.Answered} requests, "
            + $"{commands.Failures.Count + queries.Failures.Count} failed");
        exits.ShouldAllBe(code => code == 0);
        commands.Failures.Concat(queries.Failures).ShouldBeEmpty();
        commands.Answered.ShouldBeGreaterThan(100);
        queries.Answered.ShouldBeGreaterThan(100);
        await client.CreateAsync(Resource.Orders.Name, await AnOrderAsync(client, products[0]));
        await Convergence.HoldsAsync(cluster, follower, tap);
    }

    private static async Task<List<int>> RollAsync(IEnumerable<ShopProcess> processes)
    {
        var exits = new List<int>();
        foreach (var process in processes)
        {
            await process.TerminateAsync();
            exits.Add(await process.ExitAsync());
            await process.StartAsync();
        }

        return exits;
    }

    private static async Task<object> AnOrderAsync(ShopClient client, int product)
    {
        var user = await client.CreateAsync(Resource.Users.Name, Bodies.User($"{Guid.NewGuid():N}@example.com"));
        return Bodies.Order(user.Id, (product, 1));
    }

    private static async Task WriteAsync(
        LoadBalancer commands, int category, List<int> products, Random random, CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            var product = products[random.Next(products.Count)];
            var (name, price) = ($"Rolled {random.Next()}", random.Next(1, 1000));
            if (random.Next(2) == 0)
                await commands.SendAsync(
                    HttpMethod.Post, "/products", () => JsonContent.Create(Bodies.Product(category, name, price)));
            else
                await commands.SendAsync(
                    HttpMethod.Put, $"/products/{product}",
                    () => JsonContent.Create(Bodies.ProductReplacement(category, name, price)));
            await Task.Delay(10, CancellationToken.None);
        }
    }

    private static async Task ReadAsync(LoadBalancer queries, List<int> products, Random random, CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            var product = products[random.Next(products.Count)];
            var text = await queries.SendAsync(
                HttpMethod.Get, string.Create(CultureInfo.InvariantCulture, $"/products/{product}"), () => null);
            if (text.Length > 0 && (int)JsonNode.Parse(text)!["id"]! != product)
                queries.Failures.Enqueue($"product {product}: {text}");
            await queries.SendAsync(HttpMethod.Get, reads[random.Next(reads.Length)], () => null);
            await Task.Delay(5, CancellationToken.None);
        }
    }
}
