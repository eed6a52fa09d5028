using System.Collections.Concurrent;
using ApexShop.Resources;
using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.Faults;

/// <summary>
/// 420 commands with keys by eight clients, while the process that handles them is killed three times; then every
/// command is sent again, twice. The tests examine the result afterwards.
/// </summary>
public sealed class IdempotencyRun : IAsyncLifetime
{
    public const int StockMoved = 3;
    public const int Stock = 45;

    private const int Total = 420;
    private const int Clients = 8;
    private const int Kills = 3;

    private readonly ConcurrentDictionary<KeyedCommand, KeyedResponse> arrived = new();
    private int tried;

    public Shop Shop { get; private set; } = null!;

    internal List<KeyedCommand> Commands { get; } = [];

    /// <summary>The first responses, before, between and after the kills.</summary>
    internal IReadOnlyDictionary<KeyedCommand, KeyedResponse> Arrived => arrived;

    /// <summary>The responses to the first repetition.</summary>
    internal ConcurrentDictionary<KeyedCommand, KeyedResponse> Final { get; } = new();

    /// <summary>The responses to the second repetition: each must be the stored response.</summary>
    internal ConcurrentDictionary<KeyedCommand, (KeyedResponse Response, bool Replayed)> Repeated { get; } = new();

    public async Task InitializeAsync()
    {
        Shop = await Shop.StartAsync();
        await PrepareAsync();
        var sender = new IdempotentCommands(Shop.Commands);
        await Task.WhenAll(EachAsync(command => TryAsync(sender, command)), KillAsync());
        await EachAsync(async command => Final[command] = (await sender.SendAsync(command)).Response);
        await EachAsync(async command => Repeated[command] = await sender.SendAsync(command));
    }

    public async Task DisposeAsync()
    {
        if (Shop is not null) await Shop.DisposeAsync();
    }

    /// <summary>Three orders, two products and one change of a whole category's stock in turn.</summary>
    private async Task PrepareAsync()
    {
        var client = new ShopClient(Shop);
        var user = await client.CreateAsync(Resource.Users.Name, Bodies.User($"{Guid.NewGuid():N}@example.com"));
        var sold = await client.CreateAsync(Resource.Categories.Name, Bodies.Category("Sold"));
        var moved = await client.CreateAsync(Resource.Categories.Name, Bodies.Category("Moved"));
        var products = new List<int>();
        for (var i = 0; i < 10; i++)
            products.Add(
                (await client.CreateAsync(Resource.Products.Name, Bodies.Product(sold.Id, "Sold", stock: Stock))).Id);
        for (var i = 0; i < StockMoved; i++)
            await client.CreateAsync(Resource.Products.Name, Bodies.Product(moved.Id, "Moved", stock: 0));
        for (var i = 0; i < Total; i++)
        {
            var key = $"key-{i}";
            Commands.Add((i % 6) switch
            {
                < 3 => new(
                    key, HttpMethod.Post, "/orders", OrderBody(user.Id, key, products[i % 10], products[(i + 3) % 10])),
                < 5 => new(key, HttpMethod.Post, "/products", Bodies.Product(sold.Id, key)),
                _ => new(
                    key, HttpMethod.Patch, "/products/bulk-update-stock", new { categoryId = moved.Id, delta = 1 }),
            });
        }
    }

    private static object OrderBody(int userId, string address, int one, int other) => new
    {
        userId,
        shippingAddress = address,
        items = new[] { new { productId = one, quantity = 1 }, new { productId = other, quantity = 2 } },
    };

    private Task EachAsync(Func<KeyedCommand, Task> send)
    {
        var next = -1;
        return Task.WhenAll(Enumerable.Range(0, Clients).Select(async _ =>
        {
            for (var i = Interlocked.Increment(ref next); i < Commands.Count; i = Interlocked.Increment(ref next))
                await send(Commands[i]);
        }));
    }

    private async Task TryAsync(IdempotentCommands sender, KeyedCommand command)
    {
        if (await sender.TryAsync(command) is { } result) arrived[command] = result.Response;
        // A command without a response is left for later; the client continues when the process listens again.
        else await Eventually.Holds(ListensAsync, "the process is back", TimeSpan.FromMinutes(1));
        Interlocked.Increment(ref tried);
    }

    private async Task KillAsync()
    {
        for (var kill = 1; kill <= Kills; kill++)
        {
            var at = kill * Total / (Kills + 1);
            await Eventually.Holds(
                () => Volatile.Read(ref tried) >= at, $"{at} commands were sent", TimeSpan.FromMinutes(2));
            await Shop.Commands.KillAsync();
            Shop.Commands.Start();
        }
    }

    private async Task<bool> ListensAsync()
    {
        try
        {
            using var response = await Shop.Commands.Http.GetAsync("/health/live");
            return response.IsSuccessStatusCode;
        }
        catch (Exception failed) when (ShopProcess.IsDisconnect(failed))
        {
            return false;
        }
    }
}
