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
        await using var proxy = await PausingProxy.OpenAsync(shop.Http, "sort=newest&q=walnut", lines: 1);
        await using var visit = await Visit.OpenAsync(shop.Chromium, proxy.Url, "/");
        await Expect(visit.Cards).ToHaveCountAsync(60);
        var older = visit.EndOfRequestAsync("sort=newest&q=walnut");
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

    [Theory]
    [InlineData("/", true)]
    [InlineData("/?q=oak", false)]
    [InlineData("/?inStock=true", false)]
    public async Task Only_the_list_of_all_products_is_a_stream_because_a_search_for_one_may_take_long(
        string address, bool isStream)
    {
        await using var visit = await shop.VisitAsync("/?product=1");
        var streams = new List<string>();
        visit.Page.Request += (_, request) =>
        {
            if (request.Url.Contains("/products/stream", StringComparison.Ordinal)) streams.Add(request.Url);
        };
        await visit.GoAsync(address);
        await Expect(visit.Cards).ToHaveCountAsync(60);

        streams.Count.ShouldBe(isStream ? 1 : 0);
    }

    [Theory]
    [InlineData(400, "request.invalid", "The shop cannot search with these filters. Change or clear them.")]
    [InlineData(400, "search.too_expensive", "This search takes too long. Add a word or a filter.")]
    [InlineData(404, "category.not_found", "The shop cannot search with these filters. Change or clear them.")]
    [InlineData(429, "rate.limited", "These were too many requests. Wait a moment, then try again.")]
    [InlineData(500, "internal", "The shop cannot answer now. Try again in a moment.")]
    public async Task An_error_is_a_sentence_for_shoppers_without_the_text_of_the_API(
        int status, string code, string sentence)
    {
        await using var visit = (await shop.VisitAsync("/?product=1")).ExpectFailedResponses();
        await visit.Page.RouteAsync(
            "**/products/cursor?*", route => route.FulfillAsync(Failure(status, code, "minPrice of NpgsqlException")));
        await visit.GoAsync("/?minPrice=5");
        await Expect(Problem(visit).Locator("p")).ToHaveTextAsync(sentence);
        await Expect(visit.Page.GetByText("minPrice of")).ToHaveCountAsync(0);
    }

    [Theory]
    [InlineData("/?minPrice=abc")]
    [InlineData("/?categoryId=no")]
    [InlineData("/?sort=unknown")]
    public async Task An_address_with_unusable_filters_still_shows_products(string address)
    {
        await using var visit = await shop.VisitAsync(address);
        await Expect(visit.Cards).ToHaveCountAsync(60);
    }

    [Fact]
    public async Task Trying_again_after_an_error_shows_the_products()
    {
        await using var visit = (await shop.VisitAsync("/?product=1")).ExpectFailedResponses();
        await visit.Page.RouteAsync(
            "**/products/{stream,cursor}?*",
            route => route.FulfillAsync(Failure(503, "database.unavailable", "The documents cannot be read now.")));
        await visit.GoAsync("/");
        await Expect(Problem(visit)).ToContainTextAsync("The shop cannot answer now.");
        await Expect(visit.Page.Locator("#products .skeleton")).ToHaveCountAsync(0);

        await visit.Page.UnrouteAllAsync();
        await Retry(visit).ClickAsync();
        await Expect(visit.Cards).ToHaveCountAsync(60);
        await visit.ShowsAsync(firstNames);
        await Expect(visit.Cards.First.Locator(".name")).ToBeFocusedAsync();
    }

    [Fact]
    public async Task After_a_retry_an_empty_list_offers_other_products()
    {
        await using var visit = (await shop.VisitAsync("/?product=1")).ExpectFailedResponses();
        await visit.Page.RouteAsync(
            "**/products/{stream,cursor}?*",
            route => route.FulfillAsync(Failure(503, "database.unavailable", "The documents cannot be read now.")));
        await visit.GoAsync("/?q=submarine");
        await Retry(visit).PressAsync("Enter");
        await Expect(Retry(visit)).ToBeFocusedAsync();

        await visit.Page.UnrouteAllAsync();
        await Retry(visit).PressAsync("Enter");
        await Expect(visit.Status).ToHaveTextAsync("No products found.");
        await Expect(visit.Page.GetByRole(AriaRole.Button, new() { Name = "Show all products" })).ToBeVisibleAsync();
        await Expect(visit.Page.GetByRole(AriaRole.Main)).ToBeFocusedAsync();
    }

    [Theory]
    [InlineData("streams.busy")]
    [InlineData("search.busy")]
    public async Task When_a_stream_is_refused_for_now_the_products_are_read_in_pages(string code)
    {
        await using var visit = (await shop.VisitAsync("/?product=1")).ExpectFailedResponses();
        await visit.Page.RouteAsync(
            "**/products/stream?*",
            route => route.FulfillAsync(Failure(503, code, "The maximum is running.")));
        await visit.GoAsync("/");
        await Expect(visit.Cards).ToHaveCountAsync(60);
        await visit.ShowsAsync(firstNames);
    }

    [Fact]
    public async Task A_lost_connection_is_shown_as_a_sentence_of_the_page()
    {
        await using var visit = (await shop.VisitAsync()).ExpectFailedResponses();
        await visit.Page.RouteAsync("**/products/cursor?*", route => route.AbortAsync());
        await visit.Search.FillAsync("oak");
        await Expect(Problem(visit)).ToContainTextAsync("The shop cannot be reached.");
    }

    [Theory]
    [InlineData("/", "**/products/cursor?*", "#products .problem")]
    [InlineData("/?product=9", "**/products/9", "#product > .problem")]
    public async Task A_body_that_breaks_off_is_shown_as_a_sentence_of_the_page(
        string address, string route, string problem)
    {
        await using var visit = (await shop.VisitAsync("/?product=1")).ExpectFailedResponses();
        await visit.Page.RouteAsync(
            "**/products/stream?*", one => one.FulfillAsync(Failure(503, "streams.busy", "No place.")));
        await visit.Page.RouteAsync(
            route, one => one.FulfillAsync(new() { ContentType = "application/json", Body = """{"id":9,"na""" }));
        await visit.GoAsync(address);

        await Expect(visit.Page.Locator(problem).Locator("p")).ToHaveTextAsync("The shop cannot be reached.");
    }

    private static ILocator Problem(Visit visit) => visit.Page.Locator("#products .problem");

    private static ILocator Retry(Visit visit) =>
        Problem(visit).GetByRole(AriaRole.Button, new() { Name = "Try again" });

    private static RouteFulfillOptions Failure(int status, string code, string detail) => new()
    {
        Status = status,
        ContentType = "application/problem+json",
        Body = $$"""{"title":"{{detail}}","status":{{status}},"detail":"{{detail}}","code":"{{code}}"}""",
    };
}
