using System.Text;
using ApexShop.TestKit.Comparison;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests.Admin;

/// <summary>Files of rows.</summary>
[Collection(nameof(SharedShop))]
public sealed class AdminImportTests(LiveShop shop)
{
    [Fact]
    public async Task Lines_of_JSON_are_imported_and_the_bad_ones_are_named()
    {
        var (category, _) = await shop.AddProductsAsync();
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=products");
        await visit.Link("Import").ClickAsync();
        visit.ExpectFailure();
        await ChooseAsync(visit, "rows.ndjson",
            Line("Lamp", "19.90", category), "not JSON", "", Line("Chair", "10.001", category),
            Line("Desk", "249", category), Line("Nowhere", "1", 2_000_000_000), "[1]");
        await visit.Button("Import").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Done: 2 created, 4 not imported.");
        var bad = visit.Page.GetByRole(AriaRole.List, new() { Name = "Lines that were not imported" });
        await Expect(bad.Locator("li")).ToHaveCountAsync(4);
        await Expect(bad).ToContainTextAsync("Line 2 It is not an object of JSON.");
        await Expect(bad).ToContainTextAsync("Line 4 price:");
        await Expect(bad).ToContainTextAsync("Line 6 categoryId: There is no category");
        await Expect(bad).ToContainTextAsync("Line 7 It is not an object of JSON.");
        (await CountAsync(category)).ShouldBe(2);

        await visit.GoAsync($"/admin?view=products&categoryId={category}");
        await Expect(visit.Row("Lamp")).ToContainTextAsync("$19.90");
    }

    [Fact]
    public async Task A_table_with_quoted_cells_is_imported_and_its_bad_lines_are_named()
    {
        var (category, _) = await shop.AddProductsAsync();
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=products&do=import");
        visit.ExpectFailure();
        await ChooseAsync(visit, "rows.csv",
            "name,price,stock,categoryId,description,isFeatured,images",
            $"\"Desk, \"\"large\"\"\",249.90,3,{category},\"Two\nlines\",TRUE,"
                + "\"[{\"\"url\"\":\"\"/d.svg\"\",\"\"width\"\":4,\"\"height\"\":3}]\"",
            $"Sofa,cheap,3,{category},,,",
            $"Short,1,{category}",
            $"Plain,1,0,{category},,false,",
            $"\"Open,1,0,{category},,false,");
        await visit.Button("Import").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Done: 2 created, 3 not imported.");
        var bad = visit.Page.Locator(".bad");
        await Expect(bad).ToContainTextAsync("Line 4 price:");
        await Expect(bad).ToContainTextAsync("Line 5 It has 3 cells; there are 7 columns.");
        await Expect(bad).ToContainTextAsync("Line 7 A quotation mark is not closed.");
        await visit.GoAsync($"/admin?view=products&categoryId={category}");
        await visit.Link("Desk, \"large\"").ClickAsync();
        await Expect(visit.Field("description")).ToHaveValueAsync("Two\nlines");
        await Expect(visit.Field("isFeatured")).ToBeCheckedAsync();
        await Expect(visit.Page.Locator(".images [name=url]")).ToHaveValueAsync("/d.svg");
    }

    [Fact]
    public async Task A_file_in_another_encoding_is_refused_before_anything_is_created()
    {
        var (category, _) = await shop.AddProductsAsync();
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=products&do=import");
        await ChooseAsync(visit, "rows.csv", Encoding.Latin1.GetBytes(
            $"name,price,stock,categoryId\nCaf\u00e9,1,0,{category}"));
        await visit.Button("Import").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync(
            "The file is not in UTF-8. Save it as \"CSV UTF-8\", then choose it again.");
        (await CountAsync(category)).ShouldBe(0);

        await ChooseAsync(visit, "rows.csv", Encoding.UTF8.GetBytes(
            $"name,price,stock,categoryId\rCaf\u00e9,1,0,{category}\r"));
        await visit.Button("Import").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Done: 1 created, 0 not imported.");
        (await CountAsync(category)).ShouldBe(1);
    }

    [Fact]
    public async Task A_stopped_import_goes_on_and_a_lost_response_creates_nothing_twice()
    {
        var (category, _) = await shop.AddProductsAsync();
        var lines = Enumerable.Range(1, 250).Select(i => Line($"Part {i}", "1", category)).ToArray();
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=products&do=import");
        visit.ExpectFailure();
        var (requests, sent, release) = (0, new TaskCompletionSource(), new TaskCompletionSource());
        await visit.Page.RouteAsync("**/products/bulk", async route =>
        {
            var request = Interlocked.Increment(ref requests);
            sent.TrySetResult();
            await release.Task;
            var response = await route.FetchAsync();
            // The second part is executed, and its response is lost.
            if (request == 2) await route.AbortAsync();
            else await route.FulfillAsync(new() { Response = response });
        });
        await ChooseAsync(visit, "many.ndjson", lines);
        await visit.Button("Import").ClickAsync();
        await sent.Task;
        await visit.Button("Stop").ClickAsync();
        release.SetResult();
        await Expect(visit.Outcome).ToHaveTextAsync("Stopped: 100 created, 0 not imported.");

        await visit.Button("Go on").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Commands.Api is unavailable.");
        await visit.Button("Go on").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Done: 150 created, 100 were created before, 0 not imported.");
        (await CountAsync(category)).ShouldBe(250);

        await visit.Page.ReloadAsync();
        await ChooseAsync(visit, "again.ndjson", lines);
        await visit.Button("Import").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Done: 0 created, 250 were created before, 0 not imported.");
        (await CountAsync(category)).ShouldBe(250);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("404")]
    [InlineData("\"NotFound\"")]
    public async Task A_refusal_by_a_proxy_says_nothing_about_the_lines_and_creates_nothing_twice(string? code)
    {
        var (category, _) = await shop.AddProductsAsync();
        var lines = Enumerable.Range(1, 100).Select(i => Line($"Piece {i}", "1", category)).ToArray();
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=products&do=import");
        visit.ExpectFailure();
        // The rows are created, and the proxy has lost its route.
        await visit.Page.RouteAsync("**/products/bulk", AdminVisit.Once(async route =>
        {
            (await route.FetchAsync()).Ok.ShouldBeTrue();
            if (code is null) await AdminVisit.RefuseAsProxyAsync(route);
            else await AdminVisit.RefuseAsProxyAsync(route, 404, code);
        }));
        await ChooseAsync(visit, "pieces.ndjson", lines);
        await visit.Button("Import").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Commands.Api responded with 404.");

        await visit.Button("Go on").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Done: 0 created, 100 were created before, 0 not imported.");
        (await CountAsync(category)).ShouldBe(100);
    }

    private static string Line(string name, string price, int category) =>
        $$"""{"name":"{{name}}","price":{{price}},"stock":1,"categoryId":{{category}}}""";

    private static Task ChooseAsync(AdminVisit visit, string name, params string[] lines) =>
        ChooseAsync(visit, name, Encoding.UTF8.GetBytes(string.Join('\n', lines)));

    private static Task ChooseAsync(AdminVisit visit, string name, byte[] content) =>
        visit.Page.GetByLabel("File").SetInputFilesAsync(
            new FilePayload { Name = name, MimeType = "text/plain", Buffer = content });

    private Task<long> CountAsync(int category) => new Database(shop.Shop.Database.Superuser).ScalarAsync<long>(
        $"SELECT count(*) FROM shop.products WHERE category_id = {category}");
}
