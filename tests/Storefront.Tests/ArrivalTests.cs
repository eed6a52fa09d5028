using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Storefront.Tests;

/// <summary>What the page shows while responses are late, incomplete or errors.</summary>
public sealed class ArrivalTests(SampleShop shop) : IClassFixture<SampleShop>
{
    private static readonly string[] firstNames = [.. SampleShop.Shown.Take(60).Select(product => product.Name)];

    [Fact]
    public async Task Products_show_while_their_stream_still_runs()
    {
        await using var proxy = await PausingProxy.OpenAsync(shop.Http, "/products/stream", lines: 3);
        await using var visit = await Visit.OpenAsync(shop.Chromium, proxy.Url, "/");
        await Expect(visit.Cards).ToHaveCountAsync(3);
        await visit.ShowsAsync(firstNames.Take(3));
        await Expect(visit.Page.Locator("#products .skeleton")).Not.ToHaveCountAsync(0);

        proxy.Resume();
        await Expect(visit.Cards).ToHaveCountAsync(60);
        await visit.ShowsAsync(firstNames);
        await Expect(visit.Page.Locator("#products .skeleton")).ToHaveCountAsync(0);
    }

    [Fact]
    public async Task A_stream_that_fails_is_reported_and_continues_after_the_last_product()
    {
        await using var proxy = await PausingProxy.OpenAsync(shop.Http, "/products/stream", lines: 5);
        await using var visit = await Visit.OpenAsync(shop.Chromium, proxy.Url, "/");
        visit.ExpectFailedResponses();
        await Expect(visit.Cards).ToHaveCountAsync(5);
        proxy.Disconnect();
        await Expect(Problem(visit)).ToContainTextAsync("The shop cannot be reached.");
        await Expect(visit.Cards).ToHaveCountAsync(5);

        await Retry(visit).ClickAsync();
        await Expect(visit.Cards).ToHaveCountAsync(65);
        await visit.ShowsAsync(SampleShop.Shown.Take(65).Select(product => product.Name));
        await Expect(Problem(visit)).ToBeHiddenAsync();
    }

    [Fact]
    public async Task An_older_response_is_never_shown_after_a_newer_one()
    {
        await using var proxy = await PausingProxy.OpenAsync(shop.Http, "q=walnut", lines: 2);
        await using var visit = await Visit.OpenAsync(shop.Chromium, proxy.Url, "/");
        await Expect(visit.Cards).ToHaveCountAsync(60);
        var older = visit.EndOfRequestAsync("q=walnut");
        await visit.Search.PressSequentiallyAsync("walnut");
        await proxy.Paused;
        await visit.Search.FillAsync("oak lamp");
        var newer = SampleShop.Shown.Count(product => product.Name.StartsWith("Oak lamp", StringComparison.Ordinal));
        await Expect(visit.Status).ToHaveTextAsync($"{newer} products");

        proxy.Resume();
        await older;
        await visit.SettleAsync();
        (await visit.NamesAsync()).ShouldAllBe(name => name.StartsWith("Oak lamp"));
        await Expect(visit.Status).ToHaveTextAsync($"{newer} products");
    }

    [Fact]
    public async Task An_error_is_shown_with_the_detail_that_the_API_sent()
    {
        await using var visit = (await shop.VisitAsync()).ExpectFailedResponses();
        await visit.Page.GetByLabel("Price from").FillAsync("50");
        await visit.Page.GetByLabel("Price to").FillAsync("10");
        await Expect(Problem(visit)).ToContainTextAsync("minPrice must not be above maxPrice");
        await Expect(visit.Cards).ToHaveCountAsync(0);

        await visit.Page.GetByLabel("Price to").FillAsync("100");
        await Expect(visit.Cards).Not.ToHaveCountAsync(0);
        await Expect(Problem(visit)).ToBeHiddenAsync();
    }

    [Fact]
    public async Task Trying_again_after_an_error_shows_the_products()
    {
        await using var visit = (await shop.VisitAsync("/?product=1")).ExpectFailedResponses();
        await visit.Page.RouteAsync(
            "**/products/stream?*",
            route => route.FulfillAsync(Unavailable("database.unavailable", "The documents cannot be read now.")));
        await visit.GoAsync("/");
        await Expect(Problem(visit)).ToContainTextAsync("The documents cannot be read now.");
        await Expect(visit.Page.Locator("#products .skeleton")).ToHaveCountAsync(0);

        await visit.Page.UnrouteAllAsync();
        await Retry(visit).ClickAsync();
        await Expect(visit.Cards).ToHaveCountAsync(60);
        await visit.ShowsAsync(firstNames);
        await Expect(visit.Cards.First.Locator(".name")).ToBeFocusedAsync();
    }

    [Fact]
    public async Task When_too_many_streams_are_open_the_products_are_read_in_pages()
    {
        await using var visit = (await shop.VisitAsync("/?product=1")).ExpectFailedResponses();
        await visit.Page.RouteAsync(
            "**/products/stream?*",
            route => route.FulfillAsync(Unavailable("streams.busy", "The maximum number of streams is running.")));
        await visit.GoAsync("/");
        await Expect(visit.Cards).ToHaveCountAsync(60);
        await visit.ShowsAsync(firstNames);
    }

    [Fact]
    public async Task A_lost_connection_is_shown_as_a_sentence_of_the_page()
    {
        await using var visit = (await shop.VisitAsync()).ExpectFailedResponses();
        await visit.Page.RouteAsync("**/products/stream?*", route => route.AbortAsync());
        await visit.Search.FillAsync("oak");
        await Expect(Problem(visit)).ToContainTextAsync("The shop cannot be reached.");
    }

    private static ILocator Problem(Visit visit) => visit.Page.Locator("#products .problem");

    private static ILocator Retry(Visit visit) =>
        Problem(visit).GetByRole(AriaRole.Button, new() { Name = "Try again" });

    private static RouteFulfillOptions Unavailable(string code, string detail) => new()
    {
        Status = 503,
        ContentType = "application/problem+json",
        Body = $$"""{"title":"Service Unavailable","status":503,"detail":"{{detail}}","code":"{{code}}"}""",
    };
}
