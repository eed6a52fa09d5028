using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Storefront.Tests;

/// <summary>The start of the shop, and the facets beside its list.</summary>
public sealed class HomeTests(SampleShop shop) : IClassFixture<SampleShop>
{
    [Fact]
    public async Task The_start_shows_the_best_rated_in_stock_and_links_to_every_category()
    {
        await using var visit = await shop.VisitAsync();
        var best = visit.Page.Locator("#home .card .name");
        await Expect(best).ToHaveCountAsync(6);
        await Expect(best.First).ToHaveTextAsync(SampleShop.All[SampleShop.Reviewed - 1].Name);
        await visit.Page.Locator("#home .groups a", new() { HasText = "Garden" }).ClickAsync();
        await Expect(visit.Page).ToHaveURLAsync($"{shop.Url}?categoryId=2");
        await Expect(visit.Page.Locator("#home")).ToBeHiddenAsync();

        await visit.Page.GoBackAsync();
        await Expect(best).ToHaveCountAsync(6);
        await Expect(visit.Page.Locator("#home")).ToBeVisibleAsync();
    }

    [Fact]
    public async Task A_late_response_does_not_replace_the_best_rated_that_were_read_after_it()
    {
        await using var visit = await shop.VisitAsync("/?product=1");
        var (asked, shown) = (new TaskCompletionSource(), new TaskCompletionSource());
        await visit.Page.RouteAsync("**/products/cursor?sort=rating*", Visit.Once(async route =>
        {
            asked.SetResult();
            await shown.Task;
            await route.FulfillAsync(
                new() { ContentType = "application/json", Body = """{"data":[],"hasMore":false}""" });
        }));
        await visit.GoAsync("/");
        await asked.Task;
        await visit.Page.Locator(".top .brand").ClickAsync();
        var best = visit.Page.Locator("#home .card .name");
        await Expect(best).ToHaveCountAsync(6);

        var late = visit.EndOfRequestAsync("sort=rating");
        shown.SetResult();
        await late;
        await visit.SettleAsync();
        await Expect(best).ToHaveCountAsync(6);
    }

    [Fact]
    public async Task The_facets_count_the_list_and_a_click_sets_and_removes_the_filter()
    {
        await using var visit = await shop.VisitAsync("/?q=oak");
        var oak = SampleShop.Shown.Where(product => product.Name.StartsWith("Oak", StringComparison.Ordinal)).ToList();
        await Expect(visit.Status).ToHaveTextAsync("The first 60 products");
        await Expect(Facet(visit, "In stock")).ToHaveTextAsync(
            $"In stock {oak.Count(product => product.Stock > 0)}");
        await Facet(visit, "In stock").GetByRole(AriaRole.Link).ClickAsync();
        await Expect(visit.Page).ToHaveURLAsync($"{shop.Url}?q=oak&inStock=true");
        await Expect(visit.Status).ToHaveTextAsync($"{oak.Count(product => product.Stock > 0)} products");
        await Expect(visit.Page.GetByLabel("In stock")).ToBeCheckedAsync();

        var set = Facet(visit, "In stock").GetByRole(AriaRole.Link);
        await Expect(set).ToHaveAttributeAsync("aria-current", "true");
        await set.ClickAsync();
        await Expect(visit.Page).ToHaveURLAsync($"{shop.Url}?q=oak");
        await Expect(visit.Page.GetByLabel("In stock")).Not.ToBeCheckedAsync();
    }

    [Fact]
    public async Task A_price_of_the_facets_shows_as_many_products_as_it_counts_and_other_categories_stay()
    {
        await using var visit = await shop.VisitAsync("/?categoryId=2");
        var facet = Facet(visit, "10.00 to 24.99");
        var garden = SampleShop.Shown.Where(product => product.Category.Id == 2).ToList();
        var count = garden.Count(product => product.Price is >= 10 and < 25);
        await Expect(facet).ToHaveTextAsync($"10.00 to 24.99 {count}");
        await facet.GetByRole(AriaRole.Link).ClickAsync();
        await Expect(visit.Status).ToHaveTextAsync($"{count} products");
        var kitchen = SampleShop.Shown.Count(product => product.Category.Id == 1 && product.Price is >= 10 and < 25);
        await Expect(Facet(visit, "Kitchen")).ToHaveTextAsync($"Kitchen {kitchen}");
    }

    [Fact]
    public async Task The_facets_of_a_category_are_shown_although_the_whole_list_is_too_long_for_facets()
    {
        await using var visit = (await shop.VisitAsync()).ExpectFailedResponses();
        await visit.Page.RouteAsync("**/products/facets?*", route => route.Request.Url.Contains("categoryId=")
            ? route.ContinueAsync()
            : route.FulfillAsync(new()
            {
                Status = 400, ContentType = "application/problem+json", Body = """{"code":"search.too_expensive"}""",
            }));

        await visit.GoAsync("/?categoryId=2");

        var garden = SampleShop.Shown.Where(product => product.Category.Id == 2).ToList();
        var count = garden.Count(product => product.Price is >= 10 and < 25);
        await Expect(Facet(visit, "10.00 to 24.99")).ToHaveTextAsync($"10.00 to 24.99 {count}");
        await Expect(Facet(visit, "Garden")).ToHaveTextAsync($"Garden {garden.Count}");
    }

    [Fact]
    public async Task A_click_on_a_facet_keeps_a_filter_that_was_set_after_the_facets_were_counted()
    {
        await using var visit = await shop.VisitAsync();
        await Expect(Facet(visit, "Garden")).ToBeVisibleAsync();
        var counted = new TaskCompletionSource();
        await visit.Page.RouteAsync("**/products/facets?*", async route =>
        {
            await counted.Task;
            await route.ContinueAsync();
        });
        await visit.Page.GetByLabel("In stock").CheckAsync();
        await Expect(visit.Page).ToHaveURLAsync($"{shop.Url}?inStock=true");
        await Facet(visit, "Garden").GetByRole(AriaRole.Link).ClickAsync();
        await Expect(visit.Page).ToHaveURLAsync($"{shop.Url}?inStock=true&categoryId=2");
        await Expect(visit.Page.GetByLabel("In stock")).ToBeCheckedAsync();
        counted.SetResult();
        await Expect(Facet(visit, "Garden").GetByRole(AriaRole.Link)).ToHaveAttributeAsync("aria-current", "true");
    }

    private static ILocator Facet(Visit visit, string text) =>
        visit.Page.Locator("#facets li", new() { HasText = text });
}
