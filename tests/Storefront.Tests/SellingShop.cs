using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.Browser;
using ApexShop.Resources;
using ApexShop.TestKit;
using ApexShop.TestKit.Clients;
using ApexShop.TestKit.Comparison;

namespace ApexShop.Storefront.Tests;

/// <summary>A product of a test.</summary>
public sealed record Ware(int Id, string Name, string Slug)
{
    public string Path => $"/p/{Slug}";
}

/// <summary>A customer of a test.</summary>
public sealed record Buyer(int Id, string Email);

/// <summary>A whole shop of real processes that sells on its page, and a browser.</summary>
public sealed class SellingShop : IAsyncLifetime
{
    public const string Password = "correct horse battery staple";

    private Shop? shop;
    private Chromium? chromium;
    private int category;
    private int made;

    public Shop Shop => shop!;

    public ShopClient Client => new(Shop);

    public async Task InitializeAsync()
    {
        chromium = await Chromium.StartAsync();
        shop = await Shop.StartAsync(
            settings: new Dictionary<string, string> { ["Sessions__Key"] = TestKeys.Sessions });
        category = (await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Lights"))).Id;
    }

    public async Task DisposeAsync()
    {
        if (chromium is not null) await chromium.DisposeAsync();
        if (shop is not null) await shop.DisposeAsync();
    }

    public Task<Visit> VisitAsync(string address = "/", int width = 1280, int height = 900) =>
        Visit.OpenAsync(chromium!, Shop.Queries.Url, address, width, height, Shop.Commands.Url);

    /// <summary>A product that the page shows already.</summary>
    public async Task<Ware> AddWareAsync(string name, decimal price = 12.5m, int stock = 7)
    {
        var number = Interlocked.Increment(ref made);
        var slug = $"ware-{number}";
        var body = new { name, price, stock, categoryId = category, slug, description = "For every table." };
        var id = (await Client.CreateAsync(Resource.Products.Name, body)).Id;
        await Client.SeesAsync(Resource.Products.Name, id, _ => true);
        return new(id, name, slug);
    }

    public async Task<Buyer> AddBuyerAsync()
    {
        var email = $"buyer-{Interlocked.Increment(ref made)}@example.com";
        return new((await Client.CreateAsync(Resource.Users.Name, Bodies.User(email))).Id, email);
    }

    /// <summary>Changes members of a product, and waits until the page shows them.</summary>
    public async Task ChangeAsync(Ware ware, object values, Func<JsonNode, bool> isShown)
    {
        using var request = new HttpRequestMessage(HttpMethod.Patch, $"/products/{ware.Id}")
        {
            Content = JsonContent.Create(values, MediaTypeHeaderValue.Parse("application/merge-patch+json")),
        };
        using var response = await Shop.Commands.Http.SendAsync(request);
        response.StatusCode.ShouldBe(HttpStatusCode.OK, await response.Content.ReadAsStringAsync());
        await Client.SeesAsync(Resource.Products.Name, ware.Id, isShown);
    }

    public async Task SetStockAsync(Ware ware, int stock)
    {
        using var response = await Shop.Commands.Http.PatchAsJsonAsync($"/products/{ware.Id}/stock", new { stock });
        response.IsSuccessStatusCode.ShouldBeTrue(await response.Content.ReadAsStringAsync());
        await Client.SeesAsync(Resource.Products.Name, ware.Id, product => (int)product["stock"]! == stock);
    }

    /// <summary>The number of a buyer's orders in the tables.</summary>
    public Task<long> OrdersAsync(Buyer buyer) => new Database(Shop.Database.Superuser).ScalarAsync<long>(
        $"SELECT count(*) FROM shop.orders WHERE user_id = {buyer.Id}");
}
