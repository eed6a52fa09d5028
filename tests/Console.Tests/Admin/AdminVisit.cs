using ApexShop.Browser;
using ApexShop.TestKit;
using ApexShop.TestKit.Clients;
using Microsoft.Playwright;

namespace ApexShop.Console.Tests.Admin;

/// <summary>An open page of the admin.</summary>
public sealed class AdminVisit : PageVisit
{
    private AdminVisit(IBrowserContext context, IPage page, Uri commands, Uri queries)
        : base(context, page, commands, queries)
    {
    }

    public ILocator Rows => Page.Locator(".table tbody tr");

    public ILocator Heading => Page.GetByRole(AriaRole.Heading, new() { Level = 1 });

    public ILocator Outcome => Page.Locator(".editor > .outcome");

    /// <summary>The outcome of an action of a list or of a webhook.</summary>
    public ILocator ListOutcome => Page.Locator("#view > .outcome");

    public ILocator Dialog => Page.GetByRole(AriaRole.Dialog);

    /// <summary>Opens an address with a key that was entered before, or without one.</summary>
    public static async Task<AdminVisit> OpenAsync(
        LiveShop shop, string address, int width = 1280, int height = 900, string? key = TestKeys.Everything,
        string zone = "UTC")
    {
        var (commands, queries) = (shop.Shop.Commands.Url, shop.Shop.Queries.Url);
        var context = await shop.Chromium.NewReaderAsync(commands, width, height, zone: zone);
        if (key is not null) await context.AddInitScriptAsync($"sessionStorage.setItem('apexshop.key', '{key}')");
        var visit = new AdminVisit(context, await context.NewPageAsync(), commands, queries);
        await visit.GoAsync(address);
        return visit;
    }

    /// <summary>Responds as a proxy whose problems have a code of its own, which is given as JSON.</summary>
    public static Task RefuseAsProxyAsync(IRoute route, int status, string code) => route.FulfillAsync(
        new() { Status = status, ContentType = "application/json", Body = $$"""{"code":{{code}}}""" });

    /// <summary>
    /// The next command to an address is executed, or refused with a status, and its response does not arrive.
    /// </summary>
    public Task LoseResponseAsync(string address, int? status = null) => Page.RouteAsync(address, Once(async route =>
    {
        var response = await route.FetchAsync();
        if (status is null) response.Ok.ShouldBeTrue();
        else response.Status.ShouldBe(status.Value);
        await route.AbortAsync();
    }));

    /// <summary>No request ends because a test lets it wait for a long time.</summary>
    public Task RemoveTimeLimitsAsync() =>
        Page.EvaluateAsync("() => { AbortSignal.timeout = () => new AbortController().signal; }");

    /// <summary>Sends the form of the stock of the shown product with this amount.</summary>
    public async Task MoveStockAsync(string amount)
    {
        await Page.GetByLabel("Amount").FillAsync(amount);
        await Button("Move stock").ClickAsync();
    }

    public ILocator Button(string name) => Page.GetByRole(AriaRole.Button, new() { Name = name, Exact = true });

    public ILocator Link(string name) => Page.GetByRole(AriaRole.Link, new() { Name = name, Exact = true });

    /// <summary>A field of the form of a document.</summary>
    public ILocator Field(string member) => Page.Locator($"#field-{member}");

    public ILocator Error(string member) => Page.Locator($"#{member}-error");

    /// <summary>A row of the table that has this text.</summary>
    public ILocator Row(string text) => Rows.Filter(new() { HasTextString = text });
}

/// <summary>What the tests of the admin create.</summary>
internal static class AdminShop
{
    private static int last;

    public static ShopClient Client(this LiveShop shop) => new(shop.Shop);

    public static string NewName(string word) => $"{word} {Interlocked.Increment(ref last)}";

    /// <summary>Creates a row, and waits until the queries have it.</summary>
    public static async Task<int> AddAsync(this LiveShop shop, string resource, object body)
    {
        var id = (await shop.Client().CreateAsync(resource, body)).Id;
        await shop.Client().SeesAsync(resource, id, _ => true);
        return id;
    }

    /// <summary>Creates products of one new category, and returns the category and their ids.</summary>
    public static async Task<(int Category, int[] Ids)> AddProductsAsync(this LiveShop shop, params string[] names)
    {
        var category = await shop.AddAsync("categories", Bodies.Category(NewName("Of products")));
        var ids = new List<int>();
        foreach (var name in names) ids.Add(await shop.AddAsync("products", Bodies.Product(category, name)));
        return (category, [.. ids]);
    }

    /// <summary>Places an order of one new product, and returns its id.</summary>
    public static async Task<int> AddOrderAsync(this LiveShop shop)
    {
        var (_, ids) = await shop.AddProductsAsync("Ordered");
        var user = await shop.AddAsync("users", Bodies.User($"{Guid.NewGuid():N}@example.com"));
        return await shop.AddAsync("orders", Bodies.Order(user, (ids[0], 1)));
    }
}
