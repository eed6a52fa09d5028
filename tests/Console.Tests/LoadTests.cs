using System.Net.Http.Json;
using System.Text.Json;
using ApexShop.TestKit;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests;

/// <summary>
/// The page while the shop is under load. With APEXSHOP_WRITE_DOCS=1 the shop is seeded, runs for some minutes, and a
/// screenshot is written to docs/images/console.png; otherwise it is written to the folder of the built tests.
/// </summary>
public sealed class LoadTests(LiveShop shop) : IClassFixture<LiveShop>
{
    private const int Products = 40;

    private static readonly bool isPicture = Environment.GetEnvironmentVariable("APEXSHOP_WRITE_DOCS") == "1";

    [Fact]
    public async Task A_shop_under_load_fills_every_chart()
    {
        var category = await FillAsync();
        await using var visit = await shop.EnterAsync(1120, 935);
        using var end = new CancellationTokenSource();
        Task[] load = [ChangeAsync(category, end.Token), ReadAsync(end.Token), ReadAsync(end.Token)];
        foreach (var (chart, lines) in ((string, int)[])[("throughput", 2), ("latency", 2), ("lag", 1), ("hits", 2)])
        {
            for (var line = 0; line < lines; line++)
            {
                var path = visit.Page.Locator($"#{chart} path.line-{line}");
                await Eventually.Holds(
                    async () =>
                        (await path.GetAttributeAsync("d") ?? "").Count(step => step == 'L') > (isPicture ? 150 : 3),
                    $"{chart} has a line {line}",
                    TimeSpan.FromMinutes(isPicture ? 12 : 2));
            }
        }

        await TakePictureAsync(visit);
        await end.CancelAsync();
        await Task.WhenAll(load);
        await Expect(visit.Figure("cache")).Not.ToHaveTextAsync("\u2013");
    }

    private static async Task TakePictureAsync(Visit visit)
    {
        await visit.Page.EmulateMediaAsync(new() { ColorScheme = ColorScheme.Light });
        var folder = isPicture ? Path.Combine(Repository.Root, "docs", "images") : AppContext.BaseDirectory;
        await visit.Page.ScreenshotAsync(new() { Path = Path.Combine(folder, "console.png") });
    }

    private async Task<int> FillAsync()
    {
        var http = shop.Shop.Commands.Http;
        if (isPicture) await http.PostAsJsonAsync("/admin/seed", new { scale = 1 });
        var category = await shop.AddCategoryAsync("At work");
        using var answer = await http.PostAsJsonAsync("/products/bulk", Enumerable.Range(1, Products).Select(number =>
            new { name = $"Desk {number}", price = 100 + number, stock = 10, categoryId = category }));
        answer.EnsureSuccessStatusCode();
        // Otherwise the charts would show only the initial data.
        await Eventually.Holds(
            async () =>
                (await http.GetFromJsonAsync<JsonElement>("/admin/pipeline")).GetProperty("projection")
                    .GetProperty("lagEvents") is { ValueKind: JsonValueKind.Number } lag && lag.GetInt64() == 0,
            "all is applied",
            TimeSpan.FromMinutes(2));
        return category;
    }

    private async Task ChangeAsync(int category, CancellationToken ct)
    {
        for (var delta = 1; !ct.IsCancellationRequested; delta = -delta)
        {
            using var answer = await shop.Shop.Commands.Http.PatchAsJsonAsync(
                "/products/bulk-update-stock", new { categoryId = category, delta }, CancellationToken.None);
            answer.EnsureSuccessStatusCode();
            await PauseAsync(Random.Shared.Next(50, 600), ct);
        }
    }

    private async Task ReadAsync(CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            using var answer = await shop.Shop.Queries.Http.GetAsync(
                $"/categories/v2?page={1 + Random.Shared.Next(4)}", CancellationToken.None);
            answer.EnsureSuccessStatusCode();
            using var product = await shop.Shop.Queries.Http.GetAsync(
                $"/products/v2?page={1 + Random.Shared.Next(4)}", CancellationToken.None);
            product.EnsureSuccessStatusCode();
            await PauseAsync(20, ct);
        }
    }

    // Sets the pace of the load; the test does not depend on it.
    private static Task PauseAsync(int milliseconds, CancellationToken ct) =>
        Task.Delay(milliseconds, ct).ContinueWith(static _ => { }, TaskScheduler.Default);
}
