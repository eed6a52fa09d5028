using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.Resources;

namespace ApexShop.TestKit.Clients;

/// <summary>
/// Clients that keep writing during faults. A command whose response is lost is sent again and may have run twice,
/// so only the tables have the right numbers.
/// </summary>
public sealed class Traffic(Shop shop)
{
    private static readonly string[] steps = ["Processing", "Shipped", "Delivered", "Cancelled"];

    private readonly Dictionary<string, List<int>> known =
        Resource.Names.ToDictionary(resource => resource, _ => new List<int>());
    private IReadOnlyList<HttpClient> commands = [shop.Commands.Http];
    private int retries;
    private int turn;

    /// <summary>The highest acknowledged version of each aggregate.</summary>
    public ConcurrentDictionary<(string Resource, int Id), long> Acknowledged { get; } = new();

    /// <summary>The number of repeated commands.</summary>
    public int Retries => Volatile.Read(ref retries);

    public static async Task<Traffic> PrepareAsync(Shop shop, int products, int users, int stock)
    {
        var traffic = new Traffic(shop);
        var random = new Random(0);
        for (var i = 0; i < 4; i++)
            await traffic.CreateAsync(Resource.Categories.Name, Bodies.Category($"Category {Guid.NewGuid():N}"));
        for (var i = 0; i < users; i++)
            await traffic.CreateAsync(Resource.Users.Name, Bodies.User($"{Guid.NewGuid():N}@example.com"));
        for (var i = 0; i < products; i++)
            await traffic.CreateAsync(
                Resource.Products.Name, Bodies.Product(traffic.Any(Resource.Categories.Name, random), stock: stock));
        return traffic;
    }

    /// <summary>From now on the commands go to these processes in turn.</summary>
    public void Through(params IReadOnlyList<ShopProcess> processes) =>
        commands = [.. processes.Select(process => process.Http)];

    /// <summary>Runs this many concurrent writers until the writes are done.</summary>
    public async Task WriteAsync(WriteGate gate, int writes, int writers, Func<Traffic, Random, Task> write)
    {
        await Task.WhenAll(Enumerable.Range(0, writers).Select(async writer =>
        {
            var random = new Random(writer);
            for (var i = writer; i < writes; i += writers) await gate.TakeAsync(() => write(this, random));
        }));
    }

    /// <summary>One command of any kind.</summary>
    public Task AnythingAsync(Random random) => random.Next(100) switch
    {
        < 25 => CreateAsync(
            Resource.Products.Name, Bodies.Product(Any(Resource.Categories.Name, random), $"Product {random.Next()}")),
        < 41 => SendAsync(
            HttpMethod.Put, Resource.Products.Name, Any(Resource.Products.Name, random),
            Bodies.ProductReplacement(
                Any(Resource.Categories.Name, random), $"Renamed {random.Next()}", random.Next(1, 10_000) / 100m)),
        < 45 => SendAsync(
            HttpMethod.Patch, Resource.Products.Name, Any(Resource.Products.Name, random),
            new { stock = random.Next(50, 500) }, "/stock"),
        < 63 => PlaceOrderAsync(random),
        < 72 => SendAsync(
            HttpMethod.Put, Resource.Orders.Name, Any(Resource.Orders.Name, random),
            Bodies.OrderStatus(steps[random.Next(steps.Length)])),
        < 82 => CreateAsync(Resource.Reviews.Name, Bodies.Review(
            Any(Resource.Products.Name, random), Any(Resource.Users.Name, random), random.Next(1, 6))),
        < 87 => SendAsync(
            HttpMethod.Put, Resource.Reviews.Name, Any(Resource.Reviews.Name, random),
            Bodies.ReviewText(random.Next(1, 6), "Changed")),
        < 91 => SendAsync(HttpMethod.Delete, Resource.Reviews.Name, Any(Resource.Reviews.Name, random)),
        < 94 => SendAsync(HttpMethod.Delete, Resource.Products.Name, Any(Resource.Products.Name, random)),
        < 96 => SendAsync(
            HttpMethod.Put, Resource.Categories.Name, Any(Resource.Categories.Name, random),
            Bodies.Category($"Renamed {random.Next()}")),
        _ => SendAsync(HttpMethod.Put, Resource.Users.Name, Any(Resource.Users.Name, random), Bodies.User(
            $"{Guid.NewGuid():N}@example.com", $"First{random.Next(100)}", $"Last{random.Next(100)}")),
    };

    /// <summary>An order with one or two items.</summary>
    public Task PlaceOrderAsync(Random random)
    {
        var products = Enumerable.Range(0, random.Next(1, 3))
            .Select(_ => Any(Resource.Products.Name, random))
            .Distinct();
        return CreateAsync(
            Resource.Orders.Name, Bodies.Order(Any(Resource.Users.Name, random), [.. products.Select(id => (id, 1))]));
    }

    private Task CreateAsync(string resource, object body) => SendAsync(HttpMethod.Post, resource, null, body);

    private async Task SendAsync(HttpMethod method, string resource, int? id, object? body = null, string member = "")
    {
        var path = string.Create(CultureInfo.InvariantCulture, $"/{resource}{(id is null ? "" : "/")}{id}{member}");
        HttpResponseMessage? response = null;
        await Eventually.Holds(
            async () => (response = await TryAsync(method, path, body)) is not null,
            $"{method} {path} is answered", TimeSpan.FromMinutes(1));
        using (response)
        {
            var text = await response!.Content.ReadAsStringAsync();
            // Another client may have deleted, sold or changed the same rows.
            if (response.StatusCode is HttpStatusCode.NotFound or HttpStatusCode.Conflict) return;
            response.IsSuccessStatusCode.ShouldBeTrue($"{method} {path}: {(int)response.StatusCode} {text}");
            if (text.Length > 0) Remember(resource, JsonNode.Parse(text)!);
        }
    }

    private async Task<HttpResponseMessage?> TryAsync(HttpMethod method, string path, object? body)
    {
        using var request =
            new HttpRequestMessage(method, path) { Content = body is null ? null : JsonContent.Create(body) };
        try
        {
            var response = await Next().SendAsync(request);
            if (response.StatusCode != HttpStatusCode.ServiceUnavailable) return response;
            response.Dispose();
        }
        catch (Exception failed) when (ShopProcess.IsDisconnect(failed))
        {
            // No process listens, or it died before it sent the response.
        }

        Interlocked.Increment(ref retries);
        return null;
    }

    private HttpClient Next() => commands[(int)((uint)Interlocked.Increment(ref turn) % (uint)commands.Count)];

    private void Remember(string resource, JsonNode response)
    {
        var (id, version) = ((int)response["id"]!, (long)response["version"]!);
        Acknowledged.AddOrUpdate((resource, id), version, (_, before) => Math.Max(before, version));
        if (version != 1) return;
        lock (known) known[resource].Add(id);
    }

    // No row has id 0: before the first order exists, changing one gives 404.
    private int Any(string resource, Random random)
    {
        lock (known)
        {
            var ids = known[resource];
            return ids.Count == 0 ? 0 : ids[random.Next(ids.Count)];
        }
    }
}
