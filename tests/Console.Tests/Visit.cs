using System.Globalization;
using System.Text.Json.Nodes;
using ApexShop.Browser;
using ApexShop.TestKit;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests;

/// <summary>An open console page.</summary>
public sealed class Visit : PageVisit
{
    private Visit(IBrowserContext context, IPage page, Uri origin)
        : base(context, page, origin)
    {
    }

    public ILocator KeyField => Page.GetByLabel("Admin key");

    public ILocator KeyProblem => Page.Locator("#key-problem");

    public ILocator Connection => Page.Locator("#connection");

    public ILocator Events => Page.Locator("#events tbody tr");

    /// <summary>Opens the page without a key.</summary>
    public static async Task<Visit> OpenAsync(Chromium chromium, Uri origin, int width = 1280, int height = 900)
    {
        var context = await chromium.NewReaderAsync(origin, width, height);
        var visit = new Visit(context, await context.NewPageAsync(), origin);
        await visit.GoAsync("/console");
        return visit;
    }

    /// <summary>Enters the key, and waits for the dashboard.</summary>
    public async Task EnterAsync(string key = TestKeys.Everything)
    {
        await KeyField.FillAsync(key);
        await KeyField.PressAsync("Enter");
        await Expect(Connection).ToHaveTextAsync("Live");
    }

    public ILocator Figure(string step) => Page.Locator($"[data-step={step}] .figure, [data-tile={step}] .figure");

    public ILocator Note(string step) => Page.Locator($"[data-step={step}] .note, [data-tile={step}] .note");

    public ILocator Process(string name) => Page.Locator(".processes > li").Filter(
        new() { Has = Page.GetByRole(AriaRole.Heading, new() { Name = name, Exact = true }) });

    /// <summary>Changes each response of the pipeline before the page receives it.</summary>
    public Task RouteStatusAsync(Action<JsonNode> change) => Page.RouteAsync("**/admin/pipeline", async route =>
    {
        var real = await route.FetchAsync();
        var status = JsonNode.Parse(await real.TextAsync())!;
        change(status);
        await route.FulfillAsync(new() { Response = real, Body = status.ToJsonString() });
    });

    /// <summary>A number of the dashboard; 0 while there is none.</summary>
    public async Task<long> NumberAsync(string step) =>
        long.TryParse(
            await Figure(step).TextContentAsync(), NumberStyles.AllowThousands, CultureInfo.InvariantCulture,
            out var number)
            ? number
            : 0;

    /// <summary>The visible events of one aggregate, newest first.</summary>
    public ILocator EventsOf(string subject) =>
        Events.Filter(new() { Has = Page.Locator(".subject", new() { HasTextString = subject }) });
}
