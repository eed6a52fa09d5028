using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.Resources;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Rebuilding;

/// <summary>
/// Both schemas are restored to the same earlier state. The same versions, positions and revisions are then given to
/// other changes, and nothing that a client kept from before may stand for them.
/// </summary>
public sealed class BothRestoredTests(ITestOutputHelper output) : IAsyncLifetime
{
    private const int Products = 30;

    private Shop shop = null!;
    private ShopClient client = null!;

    public async Task InitializeAsync()
    {
        shop = await Shop.StartAsync();
        client = new ShopClient(shop);
    }

    public async Task DisposeAsync()
    {
        output.WriteLine(shop.Tail(60));
        await shop.DisposeAsync();
    }

    [Fact]
    public async Task No_ETag_cursor_segment_or_position_from_before_stands_for_other_bytes()
    {
        var category = (await client.CreateAsync(Resource.Categories.Name, Bodies.Category("Lamps"))).Id;
        var product = 0;
        for (var i = 0; i < Products; i++) product = await CreateAsync(category, $"Product {i}");
        await SeesAsync(product, $"Product {Products - 1}");
        using var backup = await Backup.TakeAsync(shop.Database, "shop", "read");
        var lost = await ChangeAsync(category, product, "Lost");
        await shop.Commands.KillAsync();
        await shop.Projector.KillAsync();
        await backup.RestoreAsync();
        shop.Commands.Start();
        shop.Projector.Start();
        await shop.Commands.ReadyAsync();
        await shop.Projector.ReadyAsync();
        var kept = await ChangeAsync(category, product, "Kept");

        // The same numbers: without another identity the responses below could not differ.
        (kept.Version, kept.Head).ShouldBe((lost.Version, lost.Head));
        using var request = new HttpRequestMessage(HttpMethod.Get, $"/products/{product}");
        request.Headers.TryAddWithoutValidation("If-None-Match", lost.ETag);
        using var response = await shop.Queries.Http.SendAsync(request);
        var page = await StatusAsync(shop.Queries, $"/products/cursor?pageSize=10&after={lost.Cursor}");
        var feed = await StatusAsync(shop.Commands, $"/events?after={lost.Head}&log={lost.LogId}");
        var rebuild = await shop.Commands.Http.GetFromJsonAsync<JsonNode>("/admin/projections/rebuild");
        kept.ShouldSatisfyAllConditions(
            () => kept.ETag.ShouldNotBe(lost.ETag),
            () => response.StatusCode.ShouldBe(HttpStatusCode.OK),
            () => page.ShouldBe(HttpStatusCode.Gone),
            () => kept.Stream.ShouldContain("\"Kept\""),
            () => kept.Stream.ShouldNotContain("\"Lost\""),
            () => kept.LogId.ShouldNotBe(lost.LogId),
            () => feed.ShouldBe(HttpStatusCode.Gone),
            () => ((string)rebuild!["state"]!).ShouldBe("none", "the log continues the restored documents"));
    }

    private async Task<Seen> ChangeAsync(int category, int product, string name)
    {
        var written = await client.ReplaceAsync(Resource.Products.Name, product, Bodies.Product(category, name));
        await SeesAsync(product, name);
        using var document = await shop.Queries.Http.GetAsync($"/products/{product}");
        var page = await shop.Queries.Http.GetFromJsonAsync<JsonNode>("/products/cursor?pageSize=10");
        using var events = await shop.Commands.Http.GetAsync("/events?limit=1");
        return new Seen(
            written.Version,
            document.Headers.ETag!.ToString(),
            (string)page!["nextCursor"]!,
            await shop.Queries.Http.GetStringAsync("/products/stream?limit=2000"),
            events.Headers.GetValues("Log-Head").Single(),
            events.Headers.TryGetValues("Log-Id", out var ids) ? ids.Single() : "");
    }

    private async Task<int> CreateAsync(int category, string name) =>
        (await client.CreateAsync(Resource.Products.Name, Bodies.Product(category, name))).Id;

    private Task<JsonNode> SeesAsync(int product, string name) =>
        client.SeesAsync(Resource.Products.Name, product, document => (string)document["name"]! == name);

    private static async Task<HttpStatusCode> StatusAsync(ShopProcess process, string path)
    {
        using var response = await process.Http.GetAsync(path);
        return response.StatusCode;
    }

    private sealed record Seen(long Version, string ETag, string Cursor, string Stream, string Head, string LogId);
}
