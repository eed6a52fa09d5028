using System.Text.Json;
using ApexShop.Browser;
using ApexShop.Caching;
using ApexShop.ReadModels;
using ApexShop.TestKit;

namespace ApexShop.Storefront.Tests;

/// <summary>
/// Queries.Api as it is built, over a read schema with products that a person could look for, and a browser.
/// </summary>
public sealed class SampleShop : IAsyncLifetime
{
    public const string Markup =
        "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\"> & rawhide";

    /// <summary>Its name is <see cref="Markup"/>.</summary>
    public const int MarkupId = 77;

    /// <summary>Has more reviews than one part of their list shows.</summary>
    public const int Reviewed = 9;
    public const int ReviewCount = 25;

    private const int Count = 200;

    private static readonly DateTimeOffset start = new(2026, 3, 1, 9, 0, 0, TimeSpan.Zero);
    private static readonly string[] things = ["chair", "table", "lamp", "bench", "desk"];
    private static readonly string[] woods = ["Oak", "Walnut", "Ash"];

    private TestDatabase? database;
    private ShopProcess? queries;
    private Chromium? chromium;

    public static IReadOnlyList<string> Categories { get; } = ["Kitchen", "Garden", "Office"];

    /// <summary>Every product there is, by id.</summary>
    public static IReadOnlyList<ProductView> All { get; } = [.. Enumerable.Range(1, Count).Select(Product)];

    /// <summary>The products that the shop shows, the newest first, as it does.</summary>
    public static IReadOnlyList<ProductView> Shown { get; } = [.. All.Where(product => product.IsActive).Reverse()];

    public Uri Url => queries!.Url;

    public HttpClient Http => queries!.Http;

    public Chromium Chromium => chromium!;

    public async Task InitializeAsync()
    {
        chromium = await Chromium.StartAsync();
        database = await DocumentSeeder.CreateDatabaseAsync();
        await FillAsync(new DocumentSeeder(database));
        queries = await StartAsync(database);
    }

    public async Task DisposeAsync()
    {
        if (chromium is not null) await chromium.DisposeAsync();
        if (queries is not null) await queries.DisposeAsync();
        if (database is not null) await database.DisposeAsync();
    }

    /// <summary>Products with an even id have none.</summary>
    public static string? SlugOf(int id) => id % 2 == 0 ? null : $"product-{id}";

    public Task<Visit> VisitAsync(string address = "/", int width = 1280, int height = 900) =>
        Visit.OpenAsync(Chromium, Url, address, width, height);

    private static ProductView Product(int id) => new(
        id,
        id == MarkupId ? Markup : $"{woods[id % 3]} {things[id % 5]} {id}",
        id % 4 == 0 ? null : $"Made of {woods[id % 3].ToLowerInvariant()}.\nLasts.",
        Price: 5 + (id * 7 % 101),
        Stock: id % 6,
        IsActive: id % 20 != 0,
        IsFeatured: false,
        start.AddHours(id),
        UpdatedDate: null,
        new Reference(1 + (id % 3), Categories[id % 3]),
        id == Reviewed ? new Rating(4.5m, ReviewCount) : new Rating(0, 0),
        Version: 1,
        Slug: SlugOf(id),
        Currency: "USD",
        Images: id % 3 == 0 ? [Picture("https://example.com/lamp.svg"), Picture($"/images/product-{id}.svg")] : []);

    private static ProductImage Picture(string url) => new(url, "Furniture", 800, 600);

    private static ReviewView Review(int id) => new(
        id, new Reference(Reviewed, null), new Reference(id, $"Ann {(char)('A' + id)}."), 1 + (id % 5), $"Comment {id}",
        start.AddHours(id), id % 2 == 0, Version: 1);

    private static async Task<ShopProcess> StartAsync(TestDatabase database)
    {
        var process = new ShopProcess(ShopPrograms.Queries, "queries", new Dictionary<string, string>
        {
            ["ConnectionStrings__Read"] = database.Queries,
            ["ConnectionStrings__Redis"] = Servers.Redis,
            ["Caching__Prefix"] = $"{CacheNames.DefaultPrefix}{Guid.NewGuid():N}:",
            ["Reading__CursorKey"] = TestKeys.Cursors,
            ["Consistency__Key"] = TestKeys.Consistency,
        });
        await process.StartAsync();
        return process;
    }

    private static async Task FillAsync(DocumentSeeder documents)
    {
        var json = ReadModelJson.Wire;
        await documents.PutAsync(
            "products", [.. All.Select(product => product.Id)], id =>
                JsonSerializer.SerializeToUtf8Bytes(All[id - 1], json.ProductView));
        await documents.PutAsync(
            "categories", [1, 2, 3], id => JsonSerializer.SerializeToUtf8Bytes(
                new CategoryView(id, Categories[id - 1], null, true, start, Count / 3, 1), json.CategoryView));
        await documents.PutAsync(
            "reviews", [.. Enumerable.Range(1, ReviewCount)], id =>
                JsonSerializer.SerializeToUtf8Bytes(Review(id), json.ReviewView));
    }
}
