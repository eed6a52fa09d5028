using System.Text.Json.Nodes;
using ApexShop.Browser;
using ApexShop.Client;
using ApexShop.TestKit;
using ApexShop.TestKit.Comparison;

namespace ApexShop.Storefront.Tests;

/// <summary>A product of a test.</summary>
public sealed record Ware(int Id, string Name, string Slug)
{
    public string Path => $"/p/{Slug}";
}

/// <summary>A customer of a test.</summary>
public sealed record Buyer(int Id, string Email);

/// <summary>A whole shop of real processes that sells on its page and on that of a partner, and a browser.</summary>
public sealed class SellingShop : IAsyncLifetime
{
    public const string Password = "correct horse battery staple";

    private Shop? shop;
    private Chromium? chromium;
    private PartnerPage? partner;
    private ShopClient? client;
    private ShopClient? visitor;
    private int category;
    private int made;

    public Shop Shop => shop!;

    public async Task InitializeAsync()
    {
        chromium = await Chromium.StartAsync();
        partner = await PartnerPage.OpenAsync();
        shop = await Shop.StartAsync(settings: new Dictionary<string, string>
        {
            ["Sessions__Key"] = TestKeys.Sessions,
            // Beside the first, which is that of the shop's own pages.
            ["Cors__Origins__1"] = partner.Url.GetLeftPart(UriPartial.Authority),
        });
        (client, visitor) = (Open(TestKeys.Everything), Open(key: null));
        category = (await client.Categories.CreateAsync(new("Lights"))).Id;
    }

    public async Task DisposeAsync()
    {
        if (chromium is not null) await chromium.DisposeAsync();
        if (partner is not null) await partner.DisposeAsync();
        client?.Dispose();
        visitor?.Dispose();
        if (shop is not null) await shop.DisposeAsync();
    }

    public Task<Visit> VisitAsync(string address = "/", int width = 1280, int height = 900) =>
        Visit.OpenAsync(chromium!, Shop.Queries.Url, address, width, height, Shop.Commands.Url);

    /// <summary>Visits the partner's page at a host name; the shop does not permit the origin "localhost".</summary>
    public async Task<Visit> VisitPartnerAsync(string host = "127.0.0.1")
    {
        var page = new UriBuilder(partner!.Url) { Host = host }.Uri;
        return await Visit.OpenAsync(chromium!, page, "/", 1280, 900, Shop.Queries.Url, Shop.Commands.Url);
    }

    /// <summary>A product that the page shows already.</summary>
    public async Task<Ware> AddWareAsync(string name, decimal price = 12.5m, int stock = 7)
    {
        var slug = $"ware-{Interlocked.Increment(ref made)}";
        var input = new ProductInput(
            name, price, stock, category, "For every table.", Slug: slug,
            Images: [new("/images/product-7.svg", null, 800, 600)]);
        var ware = new Ware((await client!.Products.CreateAsync(input)).Id, name, slug);
        await client.Products.GetAsync(ware.Id);
        return ware;
    }

    public async Task<Buyer> AddBuyerAsync()
    {
        var email = $"buyer-{Interlocked.Increment(ref made)}@example.com";
        return new((await client!.Users.CreateAsync(new(email, "Grace", "Hopper", Password: Password))).Id, email);
    }

    /// <summary>Places orders of one piece each, which the page shows already.</summary>
    public async Task AddOrdersAsync(Buyer buyer, Ware ware, int count)
    {
        var input = new OrderInput(buyer.Id, "1 Main Street", [new(ware.Id, 1)]);
        for (var order = 1; order < count; order++) await client!.Orders.CreateAsync(input);
        await client!.Orders.GetAsync((await client.Orders.CreateAsync(input)).Id);
    }

    /// <summary>Changes members of a product, and waits until the page shows them.</summary>
    public async Task ChangeAsync(Ware ware, JsonObject values, Func<Product, bool> isShown)
    {
        await client!.Products.PatchAsync(ware.Id, values);
        await ShowsAsync(ware, isShown);
    }

    public async Task SetStockAsync(Ware ware, int stock)
    {
        await client!.Products.SetStockAsync(ware.Id, stock);
        await ShowsAsync(ware, product => product.Stock == stock);
    }

    /// <summary>The number of a buyer's orders in the tables.</summary>
    public Task<long> OrdersAsync(Buyer buyer) => new Database(Shop.Database.Superuser).ScalarAsync<long>(
        $"SELECT count(*) FROM shop.orders WHERE user_id = {buyer.Id}");

    private ShopClient Open(string? key) =>
        new(new() { Commands = Shop.Commands.Url, Queries = Shop.Queries.Url, Key = key });

    // The page reads without a token, so its response may come from the cache.
    private Task ShowsAsync(Ware ware, Func<Product, bool> isShown) => Eventually.Holds(
        async () => isShown(await visitor!.Products.GetAsync(ware.Id)), $"the page shows the change of {ware.Name}");
}
