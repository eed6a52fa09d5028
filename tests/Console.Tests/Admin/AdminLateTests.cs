using System.Net.Http.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using ApexShop.TestKit.Clients;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests.Admin;

/// <summary>Commands were executed, and the documents do not show their changes yet.</summary>
[Collection(nameof(SharedShop))]
public sealed class AdminLateTests(LiveShop shop)
{
    private const string NotShown = "This page does not show it yet: open it again in a moment.";
    private const string Done = $"Done. {NotShown}";

    [Fact]
    public async Task A_moved_stock_is_reported_as_done()
    {
        var (_, ids) = await shop.AddProductsAsync("Moved late");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await DelayAsync(visit, $"products/{ids[0]}", await shop.Client().FindAsync("products", ids[0]));
        await visit.MoveStockAsync("-30");
        await Expect(visit.Outcome).ToHaveTextAsync(Done);
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("100 in stock");
        await shop.Client().SeesAsync("products", ids[0], one => (int)one["stock"]! == 70);
    }

    [Fact]
    public async Task A_step_of_an_order_is_reported_as_done()
    {
        var order = await shop.AddOrderAsync();
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=orders&id={order}");
        await DelayAsync(visit, $"orders/{order}", await shop.Client().FindAsync("orders", order));
        await visit.Button("Set to Processing").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync(Done);
        await Expect(visit.Page.Locator("#status")).ToHaveTextAsync("Pending");
        await shop.Client().SeesAsync("orders", order, one => (string?)one["status"] == "Processing");
    }

    [Fact]
    public async Task A_movement_is_reported_as_done_when_the_product_cannot_be_read_again_and_the_next_one_counts_too()
    {
        var (_, ids) = await shop.AddProductsAsync("Moved twice");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("100 in stock");
        visit.ExpectFailure();
        var document = new Uri(shop.Shop.Queries.Url, $"products/{ids[0]}").ToString();
        await visit.Page.RouteAsync(document, route => route.AbortAsync());
        await visit.MoveStockAsync("-30");
        await Expect(visit.Outcome).ToHaveTextAsync("Done. Queries.Api is unavailable.");

        await visit.Page.UnrouteAsync(document);
        await visit.MoveStockAsync("-30");
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("40 in stock");
    }

    [Fact]
    public async Task Changed_rows_are_reported_as_changed_and_not_shown_yet()
    {
        var (category, _) = await shop.AddProductsAsync("Late", "Later");
        await using var visit = await OpenLateListAsync(category);
        await visit.Page.GetByLabel("New value").FillAsync("2");
        await visit.Button("Change them").ClickAsync();
        await Expect(visit.ListOutcome).ToHaveTextAsync($"2 rows were changed. {NotShown}");
    }

    [Fact]
    public async Task A_row_that_has_changed_since_is_not_called_shown()
    {
        var (category, ids) = await shop.AddProductsAsync("Same", "Changed");
        await using var visit = await OpenLateListAsync(category);
        using var changed = await shop.Shop.Commands.Http.PatchAsJsonAsync($"/products/{ids[1]}", new { price = 8m });
        changed.EnsureSuccessStatusCode();
        await visit.Page.GetByLabel("New value").FillAsync("2");
        await visit.Button("Change them").ClickAsync();
        await Expect(visit.ListOutcome)
            .ToContainTextAsync($"Changed version: The current version is 2. {NotShown}");
    }

    [Fact]
    public async Task A_row_that_was_created_is_not_called_missing()
    {
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=categories&id=new");
        await DelayAsync(visit, "categories/*", document: null);
        await visit.Field("name").FillAsync(AdminShop.NewName("Created late"));
        await visit.Button("Create").ClickAsync();
        await Expect(visit.Page.GetByRole(AriaRole.Alert))
            .ToHaveTextAsync("The documents do not show the change yet.");
    }

    [Fact]
    public async Task A_read_waits_for_the_last_changes_of_every_resource()
    {
        var (_, ids) = await shop.AddProductsAsync("Moved first");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        // The page keeps a token for some seconds.
        await visit.Page.Clock.SetFixedTimeAsync(TimeProvider.System.GetUtcNow().UtcDateTime);
        await visit.MoveStockAsync("-30");
        await Expect(visit.Page.Locator("#stock")).ToHaveTextAsync("70 in stock");
        await visit.GoAsync("/admin?view=categories&id=new");
        await visit.Field("name").FillAsync(AdminShop.NewName("Created second"));
        var read = visit.Page.WaitForRequestAsync(new Regex("/categories/[0-9]+$"));
        await visit.Button("Create").ClickAsync();

        var tokens = await (await read).HeaderValueAsync("consistency-token");
        tokens!.Split(", ").Distinct().Count().ShouldBe(2);
    }

    // A table whose rows are all selected, and which shows no change from now on.
    private async Task<AdminVisit> OpenLateListAsync(int category)
    {
        var address = $"products/cursor?categoryId={category}&pageSize=50";
        var list = await shop.Shop.Queries.Http.GetFromJsonAsync<JsonNode>($"/{address}");
        var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&categoryId={category}");
        await visit.Page.GetByLabel("Select all").CheckAsync();
        await DelayAsync(visit, "products/cursor?*", list);
        return visit;
    }

    // A read that waits for the change is refused; any other finds this document, or none.
    private async Task DelayAsync(AdminVisit visit, string path, JsonNode? document)
    {
        visit.ExpectFailure();
        await visit.Page.RouteAsync(new Uri(shop.Shop.Queries.Url, path).ToString(), async route =>
        {
            const string Late =
                """{"code":"consistency.not_reached","detail":"The documents do not show the change yet."}""";
            var isAwaited = await route.Request.HeaderValueAsync("consistency-token") is not null;
            await route.FulfillAsync(new()
            {
                Status = isAwaited ? 503 : document is null ? 404 : 200,
                ContentType = "application/json",
                Headers = new Dictionary<string, string> { ["Access-Control-Allow-Origin"] = "*" },
                Body = isAwaited ? Late : document?.ToJsonString() ?? "{}",
            });
        });
    }
}
