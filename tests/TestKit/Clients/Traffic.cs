using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.Resources;

namespace ApexShop.TestKit.Clients;

/// <summary>
/// Clients that write whatever happens. A command whose answer is lost is sent again; it may then have happened twice,
/// so the tables are the only count.
/// </summary>
public sealed class Traffic(Shop shop)
{
    private static readonly string[] steps = ["Processing", "Shipped", "Delivered", "Cancelled"];

    private readonly Dictionary<string, List<int>> known = Resource.Names.ToDictionary(resource => resource, _ => new List<int>());
    private IReadOnlyList<HttpClient> commands = [shop.Commands.Http];
    private int retries;
    private int turn;

    /// <summary>The highest version of each aggregate that a client was told of.</summary>
    public ConcurrentDictionary<(string Resource, int Id), long> Acknowledged { get; } = new();

    /// <summary>How often a command had to be sent again.</summary>
    public int Retries => Volatile.Read(ref retries);

    public static async Task<Traffic> PrepareAsync(Shop shop, int products, int users, int stock)
    {
        var traffic = new Traffic(shop);
        var random = new Random(0);
        for (var i = 0; i < 4; i++) await traffic.CreateAsync(Resource.Categories.Name, Bodies.Category($"Category {Guid.NewGuid():N}"));
        for (var i = 0; i < users; i++) await traffic.CreateAsync(Resource.Users.Name, Bodies.User($"{Guid.NewGuid():N}@example.com"));
        for (var i = 0; i < products; i++)
            await traffic.CreateAsync(Resource.Products.Name, Bodies.Product(traffic.Any(Resource.Categories.Name, random), stock: stock));
        return traffic;
    }

    /// <summary>From now on through other commands processes, in turn.</summary>
    public void Through(params IReadOnlyList<ShopProcess> processes) => commands = [.. processes.Select(process => process.Http)];

    /// <summary>Runs so many writers side by side until the writes are done.</summary>
    public async Task WriteAsync(Pace pace, int writes, int writers, Func<Traffic, Random, Task> write)
    {
        await Task.WhenAll(Enumerable.Range(0, writers).Select(async writer =>
        {
            var random = new Random(writer);
            for (var i = writer; i < writes; i += writers) await pace.TakeAsync(() => write(this, random));
        }));
    }

    /// <summary>One command of any kind.</summary>
    public Task AnythingAsync(Random random) => random.Next(100) switch
    {
        < 25 => CreateAsync(Resource.Products.Name, Bodies.Product(Any(Resource.Categories.Name, random), $"Product {random.Next()}")),
        < 45 => SendAsync(HttpMethod.Put, Resource.Products.Name, Any(Resource.Products.Name, random), Bodies.Product(
            Any(Resource.Categories.Name, random), $"Renamed {random.Next()}", random.Next(1, 10_000) / 100m, random.Next(50, 500))),
        < 63 => PlaceOrderAsync(random),
        < 72 => SendAsync(
            HttpMethod.Put, Resource.Orders.Name, Any(Resource.Orders.Name, random), Bodies.OrderStatus(steps[random.Next(steps.Length)])),
        < 82 => CreateAsync(Resource.Reviews.Name, Bodies.Review(
            Any(Resource.Products.Name, random), Any(Resource.Users.Name, random), random.Next(1, 6))),
        < 87 => SendAsync(
            HttpMethod.Put, Resource.Reviews.Name, Any(Resource.Reviews.Name, random), Bodies.ReviewText(random.Next(1, 6), "Changed")),
        < 91 => SendAsync(HttpMethod.Delete, Resource.Reviews.Name, Any(Resource.Reviews.Name, random)),
        < 94 => SendAsync(HttpMethod.Delete, Resource.Products.Name, Any(Resource.Products.Name, random)),
        < 96 => SendAsync(
            HttpMethod.Put, Resource.Categories.Name, Any(Resource.Categories.Name, random), Bodies.Category($"Renamed {random.Next()}")),
        _ => SendAsync(HttpMethod.Put, Resource.Users.Name, Any(Resource.Users.Name, random), Bodies.User(
            $"{Guid.NewGuid():N}@example.com", $"First{random.Next(100)}", $"Last{random.Next(100)}")),
    };

    /// <summary>An order of one or two lines.</summary>
    public Task PlaceOrderAsync(Random random)
    {
        var products = Enumerable.Range(0, random.Next(1, 3)).Select(_ => Any(Resource.Products.Name, random)).Distinct();
        return CreateAsync(Resource.Orders.Name, Bodies.Order(Any(Resource.Users.Name, random), [.. products.Select(id => (id, 1))]));
    }

    private Task CreateAsync(string resource, object body) => SendAsync(HttpMethod.Post, resource, null, body);

    private async Task SendAsync(HttpMethod method, string resource, int? id, object? body = null)
    {
        var path = string.Create(CultureInfo.InvariantCulture, $"/{resource}{(id is null ? "" : "/")}{id}");
        HttpResponseMessage? answer = null;
        await Eventually.Holds(
            async () => (answer = await TryAsync(method, path, body)) is not null, $"{method} {path} is answered", TimeSpan.FromMinutes(1));
        using (answer)
        {
            var text = await answer!.Content.ReadAsStringAsync();
            // Another client may have deleted, sold or moved on what this one had in mind.
            if (answer.StatusCode is HttpStatusCode.NotFound or HttpStatusCode.Conflict) return;
            answer.IsSuccessStatusCode.ShouldBeTrue($"{method} {path}: {(int)answer.StatusCode} {text}");
            if (text.Length > 0) Remember(resource, JsonNode.Parse(text)!);
        }
    }

    private async Task<HttpResponseMessage?> TryAsync(HttpMethod method, string path, object? body)
    {
        using var request = new HttpRequestMessage(method, path) { Content = body is null ? null : JsonContent.Create(body) };
        try
        {
            var answer = await Next().SendAsync(request);
            if (answer.StatusCode != HttpStatusCode.ServiceUnavailable) return answer;
            answer.Dispose();
        }
        catch (HttpRequestException)
        {
            // Nobody listens at the moment, or the process died with the answer on its lips.
        }

        Interlocked.Increment(ref retries);
        return null;
    }

    private HttpClient Next() => commands[(int)((uint)Interlocked.Increment(ref turn) % (uint)commands.Count)];

    private void Remember(string resource, JsonNode answer)
    {
        var (id, version) = ((int)answer["id"]!, (long)answer["version"]!);
        Acknowledged.AddOrUpdate((resource, id), version, (_, told) => Math.Max(told, version));
        if (version != 1) return;
        lock (known) known[resource].Add(id);
    }

    // 0 is nobody's id: before the first order exists, changing one is answered 404.
    private int Any(string resource, Random random)
    {
        lock (known)
        {
            var ids = known[resource];
            return ids.Count == 0 ? 0 : ids[random.Next(ids.Count)];
        }
    }
}
