using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Storefront.Tests;

/// <summary>What the page offers when no product matches, and its hints what to search for.</summary>
public sealed class EmptyListTests(SampleShop shop) : IClassFixture<SampleShop>
{
    [Fact]
    public async Task An_empty_list_names_the_filters_and_offers_to_remove_each()
    {
        await using var visit = await shop.VisitAsync("/?q=submarine&categoryId=2&minPrice=20&inStock=true");
        await Expect(visit.Status).ToHaveTextAsync("No products found.");
        string[] ways =
        [
            "Without \u201csubmarine\u201d", "In every category", "At every price", "Also when sold out",
            "Show all products",
        ];
        await Expect(Empty(visit).GetByRole(AriaRole.Button)).ToHaveTextAsync(ways);

        await Button(visit, ways[0]).ClickAsync();
        var found = SampleShop.Shown.Where(product => product is { Category.Id: 2, Price: >= 20, Stock: > 0 }).ToList();
        await Expect(visit.Status).ToHaveTextAsync($"{found.Count} products");
        await Expect(Empty(visit)).ToBeHiddenAsync();
        await Expect(visit.Search).ToHaveValueAsync("");
        await Expect(visit.Page.GetByRole(AriaRole.Main)).ToBeFocusedAsync();

        await visit.Page.GoBackAsync();
        await Button(visit, "Show all products").ClickAsync();
        await Expect(visit.Status).ToHaveTextAsync("The first 60 products");
        await Expect(visit.Page).ToHaveURLAsync(shop.Url.ToString());
    }

    [Fact]
    public async Task An_empty_list_links_to_categories_and_words_that_find_something()
    {
        await using var visit = await shop.VisitAsync("/?q=submarine");
        var links = Empty(visit).GetByRole(AriaRole.Link);
        await Expect(links).ToHaveCountAsync(6);
        foreach (var name in SampleShop.Categories)
            await Expect(links.Filter(new() { HasText = name })).ToHaveCountAsync(1);
        for (var index = 0; index < 6; index++)
        {
            await links.Nth(index).ClickAsync();
            await Expect(visit.Cards).Not.ToHaveCountAsync(0);
            await visit.Page.GoBackAsync();
            await Expect(links).ToHaveCountAsync(6);
        }
    }

    [Fact]
    public async Task The_words_in_the_search_field_find_products()
    {
        await using var visit = await shop.VisitAsync();
        await Expect(visit.Search).ToHaveAttributeAsync("placeholder", new System.Text.RegularExpressions.Regex(","));
        var words = (await visit.Search.GetAttributeAsync("placeholder"))!.Split(", ");
        words.Length.ShouldBe(3);
        foreach (var word in words)
        {
            SampleShop.Shown.ShouldContain(product => product.Name.Contains(word, StringComparison.OrdinalIgnoreCase));
            await visit.Search.FillAsync(word);
            await Expect(visit.Page).ToHaveURLAsync($"{shop.Url}?q={word}");
            await Expect(visit.Page.Locator("#products .grid")).ToHaveAttributeAsync("aria-busy", "false");
            await Expect(visit.Cards).Not.ToHaveCountAsync(0);
        }
    }

    [Fact]
    public async Task A_word_that_the_search_ignores_is_not_offered()
    {
        await using var visit = await shop.VisitAsync("/?product=1");
        await visit.Page.RouteAsync("**/products/cursor?*pageSize=20", route => route.FulfillAsync(new()
        {
            ContentType = "application/json",
            Body = """
                {"data":[{"id":2,"name":"A lamp to work With"},{"id":1,"name":"The"}],"hasMore":false,"nextCursor":null}
                """,
        }));
        await visit.GoAsync("/");

        await Expect(visit.Search).ToHaveAttributeAsync("placeholder", "work");
    }

    [Fact]
    public async Task Prices_in_the_wrong_order_and_wrong_amounts_are_explained_without_a_request()
    {
        await using var visit = await shop.VisitAsync();
        await visit.Page.GetByLabel("Price from").FillAsync("50");
        await visit.Page.GetByLabel("Price to").FillAsync("10");
        await Expect(Empty(visit)).ToContainTextAsync("The lowest price is above the highest.");
        await Expect(visit.Cards).ToHaveCountAsync(0);

        await visit.Page.GetByLabel("Price to").FillAsync("100.005");
        await Expect(Empty(visit)).ToContainTextAsync("A price has at most two digits after the point.");
        await visit.Page.GetByLabel("Price to").FillAsync("100");
        await Expect(visit.Cards).Not.ToHaveCountAsync(0);
        await Expect(Empty(visit)).ToBeHiddenAsync();
    }

    [Fact]
    public async Task A_price_that_is_no_number_is_explained_and_left_although_it_is_not_in_the_address()
    {
        await using var visit = await shop.VisitAsync();
        await Expect(visit.Cards).ToHaveCountAsync(60);
        var price = visit.Page.GetByLabel("Price from");
        await TypeAsync();
        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Clear" }).ClickAsync();
        await Expect(visit.Cards).ToHaveCountAsync(60);
        await Expect(Empty(visit)).ToBeHiddenAsync();

        await TypeAsync();
        await visit.Page.Locator(".top .brand").ClickAsync();
        await Expect(visit.Cards).ToHaveCountAsync(60);

        // The mistake replaces the address with this price, so the one before it has the same filters.
        await price.FillAsync("20");
        await Expect(visit.Page).ToHaveURLAsync($"{shop.Url}?minPrice=20");
        await TypeAsync();
        await Expect(visit.Page).ToHaveURLAsync(shop.Url.ToString());
        await visit.Page.GoBackAsync();
        await Expect(visit.Cards).ToHaveCountAsync(60);

        async Task TypeAsync()
        {
            await price.PressSequentiallyAsync("1e");
            await Expect(Empty(visit)).ToContainTextAsync("A price is a number, and not below 0.");
            await Expect(visit.Cards).ToHaveCountAsync(0);
        }
    }

    private static ILocator Empty(Visit visit) => visit.Page.Locator("#products .empty");

    private static ILocator Button(Visit visit, string name) =>
        Empty(visit).GetByRole(AriaRole.Button, new() { Name = name });
}
