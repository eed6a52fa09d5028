using System.Text.RegularExpressions;
using ApexShop.TestKit;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Storefront.Tests;

/// <summary>Back, forward and reload keep the filters and the position of the list.</summary>
public sealed partial class HistoryTests(SampleShop shop) : IClassFixture<SampleShop>
{
    private static readonly string[] allNames = [.. SampleShop.Shown.Select(product => product.Name)];

    private static readonly string[] gardenNames =
        [.. SampleShop.Shown.Where(product => product.Category.Name == "Garden").Select(product => product.Name)];

    [Fact]
    public async Task Back_after_a_filter_shows_the_list_before_it()
    {
        await using var visit = await shop.VisitAsync();
        var category = visit.Page.GetByLabel("Category");
        await Expect(visit.Cards).ToHaveCountAsync(60);
        await category.SelectOptionAsync("Garden");
        await visit.ShowsAsync(gardenNames.Take(60));
        await visit.Page.GetByLabel("Order").SelectOptionAsync("By name");
        await Expect(visit.Page).ToHaveURLAsync(new Uri(shop.Url, "/?categoryId=2&sort=name").ToString());

        await visit.Page.GoBackAsync();
        await visit.ShowsAsync(gardenNames.Take(60));
        await Expect(visit.Page.GetByLabel("Order")).ToHaveValueAsync("");
        await visit.Page.GoBackAsync();
        await visit.ShowsAsync(allNames.Take(60));
        await Expect(category).ToHaveValueAsync("");
        await Expect(visit.Page).ToHaveURLAsync(shop.Url.ToString());

        await visit.Page.GoForwardAsync();
        await visit.ShowsAsync(gardenNames.Take(60));
        await Expect(visit.Page.Locator("[name=categoryId] option:checked")).ToHaveTextAsync("Garden");
    }

    [Fact]
    public async Task The_letters_of_a_search_are_one_step_of_the_history()
    {
        await using var visit = await shop.VisitAsync();
        await Expect(visit.Cards).ToHaveCountAsync(60);
        foreach (var word in (string[])["oak", "oak lamp"])
        {
            await visit.Search.FillAsync(word);
            await Expect(visit.Page).ToHaveURLAsync($"{shop.Url}?q={word.Replace(' ', '+')}");
        }

        await visit.Search.PressAsync("Enter");
        await visit.Search.FillAsync("walnut");
        await Expect(visit.Page).ToHaveURLAsync($"{shop.Url}?q=walnut");

        await visit.Page.GoBackAsync();
        await Expect(visit.Search).ToHaveValueAsync("oak lamp");
        await visit.ShowsAsync(allNames.Where(name => name.StartsWith("Oak lamp", StringComparison.Ordinal)));
        await visit.Page.GoBackAsync();
        await Expect(visit.Search).ToHaveValueAsync("");
        await visit.ShowsAsync(allNames.Take(60));
    }

    [Fact]
    public async Task A_reload_keeps_the_search_and_the_position()
    {
        await using var visit = await shop.VisitAsync("/?sort=name");
        var (names, position) = await ScrollAsync(visit, card: 90);
        await visit.Page.ReloadAsync();

        await Expect(visit.Cards.Nth(90).Locator(".name")).ToBeInViewportAsync();
        (await visit.ScrollPositionAsync()).ShouldBe(position, tolerance: 1);
        (await visit.NamesAsync()).Take(names.Count).ShouldBe(names);
        await Expect(visit.Page.GetByLabel("Order")).ToHaveValueAsync("name");
    }

    [Fact]
    public async Task Back_to_a_list_with_other_filters_restores_its_position()
    {
        await using var visit = await shop.VisitAsync();
        var (names, _) = await ScrollAsync(visit, card: 100);
        // The focus scrolls the page, as the filters stick to its top.
        await visit.Page.GetByLabel("In stock").FocusAsync();
        var position = await visit.ScrollPositionAsync();
        await visit.PressAsync("Space");
        await Expect(visit.Page).ToHaveURLAsync($"{shop.Url}?inStock=true");
        await Expect(visit.Cards).ToHaveCountAsync(60);

        await visit.Page.GoBackAsync();
        await Eventually.Holds(
            async () => Math.Abs(await visit.ScrollPositionAsync() - position) <= 1, "the position is restored");
        (await visit.NamesAsync()).Take(names.Count).ShouldBe(names);
    }

    [Fact]
    public async Task After_a_reload_of_a_product_the_link_back_still_leads_to_the_list_before_it()
    {
        await using var visit = await shop.VisitAsync("/?sort=name");
        var (names, position) = await ScrollAsync(visit, card: 90);
        await visit.Cards.Nth(90).Locator(".name").ClickAsync();
        await Expect(visit.Title).ToHaveTextAsync(names[90]);
        await visit.Page.ReloadAsync();
        await Expect(visit.Title).ToHaveTextAsync(names[90]);

        await visit.Page.GetByRole(AriaRole.Link, new() { Name = "All products" }).ClickAsync();
        await Expect(visit.Page).ToHaveURLAsync(new Uri(shop.Url, "/?sort=name").ToString());
        await Expect(visit.Cards.Nth(90).Locator(".name")).ToBeInViewportAsync();
        (await visit.ScrollPositionAsync()).ShouldBe(position, tolerance: 1);
    }

    [Fact]
    public async Task The_name_of_the_shop_on_its_start_is_no_step_of_the_history_and_keeps_the_focus()
    {
        await using var visit = await shop.VisitAsync();
        await Expect(visit.Cards).ToHaveCountAsync(60);
        await OpenedAsync(visit);
        await visit.Cards.Nth(3).Locator(".name").ClickAsync();
        await Expect(visit.Title).ToHaveTextAsync(allNames[3]);
        await visit.Page.GoBackAsync();
        await Expect(visit.Cards.Nth(3).Locator(".name")).ToBeFocusedAsync();
        var brand = visit.Page.Locator(".top .brand");
        var length = await visit.Page.EvaluateAsync<int>("() => history.length");
        for (var clicks = 0; clicks < 2; clicks++)
        {
            await brand.ClickAsync();
            await Expect(brand).ToBeFocusedAsync();
        }

        (await visit.Page.EvaluateAsync<int>("() => history.length")).ShouldBe(length);
        (await visit.ScrollPositionAsync()).ShouldBe(0);
    }

    // The words to search for come last. Before them the page stores no position.
    private static Task OpenedAsync(Visit visit) => Expect(visit.Search).ToHaveAttributeAsync("placeholder", Words());

    // Scrolls to a card of the second page, and waits until the page has stored the position.
    private static async Task<(IReadOnlyList<string> Names, double Position)> ScrollAsync(Visit visit, int card)
    {
        await OpenedAsync(visit);
        await visit.Cards.Nth(59).ScrollIntoViewIfNeededAsync();
        await Expect(visit.Cards).ToHaveCountAsync(120);
        await visit.Cards.Nth(card).ScrollIntoViewIfNeededAsync();
        await visit.SettleAsync();
        var position = await visit.ScrollPositionAsync();
        position.ShouldBeGreaterThan(1000);
        return (await visit.NamesAsync(), position);
    }

    [GeneratedRegex(", ")]
    private static partial Regex Words();
}
