using System.Text.RegularExpressions;
using ApexShop.Browser;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Storefront.Tests;

/// <summary>The suggestions below the search field.</summary>
public sealed class SuggestionTests(SampleShop shop) : IClassFixture<SampleShop>
{
    [Fact]
    public async Task The_keyboard_chooses_a_suggestion_and_Escape_keeps_what_was_typed()
    {
        await using var visit = await shop.VisitAsync();
        await visit.Search.PressSequentiallyAsync("wal");
        var options = Options(visit);
        await Expect(options).ToHaveTextAsync(["walnut"]);
        await Expect(visit.Search).ToHaveAttributeAsync("aria-expanded", "true");
        await visit.Search.PressAsync("Escape");
        await Expect(List(visit)).ToBeHiddenAsync();
        await Expect(visit.Search).ToHaveValueAsync("wal");

        await visit.Search.PressSequentiallyAsync("n");
        await Expect(List(visit)).ToBeVisibleAsync();
        await visit.Search.PressAsync("ArrowDown");
        await Expect(visit.Search).ToHaveAttributeAsync("aria-activedescendant", "suggestion-0");
        await Expect(options).ToHaveAttributeAsync("aria-selected", "true");
        // The list is pale until it is the one of these letters.
        await Expect(visit.Page).ToHaveURLAsync(new Regex("q=waln$"));
        await Expect(visit.Page.Locator("#products .grid")).ToHaveAttributeAsync("aria-busy", "false");
        await visit.ShouldBeAccessibleAsync("suggestions");
        await visit.Search.PressAsync("Enter");
        await Expect(visit.Page).ToHaveURLAsync(new Regex("q=walnut$"));
        await Expect(visit.Search).ToHaveValueAsync("walnut");
        await Expect(List(visit)).ToBeHiddenAsync();
        await Expect(visit.Search).ToBeFocusedAsync();
    }

    [Fact]
    public async Task A_click_takes_a_corrected_text()
    {
        await using var visit = await shop.VisitAsync(width: 320);
        await visit.Search.FillAsync("wallnut tab");
        await Expect(Options(visit)).ToHaveTextAsync(["walnut table"]);
        await Options(visit).ClickAsync();
        await Expect(visit.Search).ToHaveValueAsync("walnut table");
        await Expect(visit.Cards.First.Locator(".name")).ToContainTextAsync("Walnut table");
    }

    [Fact]
    public async Task A_text_without_suggestions_and_a_shop_without_answers_show_none()
    {
        await using var visit = await shop.VisitAsync();
        await visit.Search.FillAsync("walnut");
        await Expect(visit.Page).ToHaveURLAsync(new Regex("q=walnut$"));
        await Expect(List(visit)).ToBeHiddenAsync();

        await visit.Page.RouteAsync("**/products/suggest**", route => route.AbortAsync());
        visit.ExpectFailedResponses();
        await visit.Search.FillAsync("oa");
        await Expect(visit.Page).ToHaveURLAsync(new Regex("q=oa$"));
        await Expect(visit.Status).Not.ToBeEmptyAsync();
        await Expect(List(visit)).ToBeHiddenAsync();
    }

    private static ILocator List(Visit visit) => visit.Page.Locator("#suggestions");

    private static ILocator Options(Visit visit) => List(visit).GetByRole(AriaRole.Option);
}
