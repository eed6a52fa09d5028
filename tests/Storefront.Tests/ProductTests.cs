using ApexShop.ReadModels;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Storefront.Tests;

public sealed class ProductTests(SampleShop shop) : IClassFixture<SampleShop>
{
    private static readonly ProductView reviewed = SampleShop.All[SampleShop.Reviewed - 1];

    [Fact]
    public async Task A_product_has_an_address_facts_and_all_its_reviews_the_newest_first()
    {
        await using var visit = await shop.VisitAsync($"/?product={reviewed.Id}");
        await Expect(visit.Title).ToHaveTextAsync(reviewed.Name);
        await Expect(visit.Page).ToHaveTitleAsync($"{reviewed.Name} - ApexShop");
        await Expect(visit.Page.Locator("#product .description")).ToContainTextAsync("Lasts.");
        await Expect(visit.Page.Locator(".facts .stars")).ToHaveAccessibleNameAsync("4.5 of 5 stars");
        await Expect(visit.Page.Locator(".facts .count")).ToHaveTextAsync("(25)");

        var reviews = visit.Page.Locator("#reviews .review");
        await reviews.Nth(19).ScrollIntoViewIfNeededAsync();
        await Expect(visit.Page.Locator("#reviews .status")).ToHaveTextAsync("25 reviews");
        (await reviews.Locator(".comment").AllTextContentsAsync())
            .ShouldBe(Enumerable.Range(1, SampleShop.ReviewCount).Reverse().Select(id => $"Comment {id}"));
        await Expect(reviews.First.Locator(".name")).ToHaveTextAsync("Ann Z.");
        await Expect(reviews.First.Locator("time")).ToHaveTextAsync("Mar 2, 2026");
        await Expect(visit.Page.Locator("#reviews .verified:visible")).ToHaveCountAsync(12);
    }

    [Fact]
    public async Task The_link_back_leads_to_the_same_position_of_the_same_list()
    {
        await using var visit = await shop.VisitAsync("/?sort=name");
        await visit.Cards.Nth(59).ScrollIntoViewIfNeededAsync();
        await Expect(visit.Cards).ToHaveCountAsync(120);
        var link = visit.Cards.Nth(90).Locator(".name");
        await link.ScrollIntoViewIfNeededAsync();
        await visit.SettleAsync();
        var (position, names) = (await visit.ScrollPositionAsync(), await visit.NamesAsync());
        position.ShouldBeGreaterThan(1000);

        await link.ClickAsync();
        await Expect(visit.Title).ToHaveTextAsync(names[90]);
        await visit.Page.GoBackAsync();
        await Expect(link).ToBeInViewportAsync();
        (await visit.ScrollPositionAsync()).ShouldBe(position, tolerance: 1);
        (await visit.NamesAsync()).Take(names.Count).ShouldBe(names);
        (await visit.FocusAsync()).ShouldBe(names[90]);

        await visit.Page.GoForwardAsync();
        await Expect(visit.Title).ToHaveTextAsync(names[90]);
        await visit.Page.GetByRole(AriaRole.Link, new() { Name = "All products" }).ClickAsync();
        await Expect(visit.Page).ToHaveURLAsync(new Uri(shop.Url, "/?sort=name").ToString());
        (await visit.ScrollPositionAsync()).ShouldBe(position, tolerance: 1);
    }

    [Fact]
    public async Task A_product_shows_its_first_picture_of_the_shop_and_without_one_its_tile()
    {
        await using var visit = await shop.VisitAsync();
        var cards = visit.Cards.Filter(new() { Has = visit.Page.Locator(".tile img") });
        await Expect(cards).Not.ToHaveCountAsync(0);
        var names = await cards.Locator(".name").AllTextContentsAsync();

        var pictured = SampleShop.All.Where(product => product.Images.Count > 0).Select(product => product.Name);
        names.ShouldBeSubsetOf([.. pictured]);
        // A card has the name beside its picture, so only the picture of a product's own view has a text.
        await Expect(visit.Page.GetByRole(AriaRole.Img, new() { Name = "Furniture" })).ToHaveCountAsync(0);
        await visit.GoAsync($"/?product={reviewed.Id}");
        var picture = visit.Page.Locator("#product .tile img");
        await Expect(picture).ToHaveAttributeAsync("src", $"/images/product-{reviewed.Id}.svg");
        await Expect(visit.Page.GetByRole(AriaRole.Img, new() { Name = "Furniture" })).ToBeVisibleAsync();
        (await picture.EvaluateAsync<int>("async image => { await image.decode(); return image.naturalWidth; }"))
            .ShouldBe(800);
    }

    [Fact]
    public async Task A_name_that_contains_markup_is_shown_as_text()
    {
        await using var visit = await shop.VisitAsync("/?q=rawhide");
        await Expect(visit.Cards).ToHaveCountAsync(1);
        await visit.ShowsAsync([SampleShop.Markup]);

        await visit.Cards.First.ClickAsync();
        await Expect(visit.Title).ToHaveTextAsync(SampleShop.Markup);
        await Expect(visit.Page).ToHaveTitleAsync($"{SampleShop.Markup} - ApexShop");
        await Expect(visit.Page.Locator("main img")).ToHaveCountAsync(0);
    }

    [Theory]
    [InlineData("9999")]
    [InlineData("v2")]
    public async Task A_product_that_does_not_exist_is_a_sentence_and_a_link_to_the_list(string id)
    {
        await using var visit = (await shop.VisitAsync()).ExpectFailedResponses();
        await visit.GoAsync($"/?product={id}");
        await Expect(visit.Title).ToHaveTextAsync("This product is not in the shop");
        await Expect(visit.Title).ToBeFocusedAsync();
        await Expect(visit.Page.Locator("#product > .problem")).ToHaveTextAsync(
            "It may have been removed.", new() { UseInnerText = true });
        await Expect(visit.Page.Locator(".facts .price")).ToBeHiddenAsync();

        await visit.Page.GetByRole(AriaRole.Link, new() { Name = "All products" }).ClickAsync();
        await Expect(visit.Cards).ToHaveCountAsync(60);
    }

    [Fact]
    public async Task A_product_leads_to_its_category_and_shows_that_it_is_no_longer_sold()
    {
        await using var visit = await shop.VisitAsync("/?product=20");
        await Expect(visit.Page.Locator(".facts .stock")).ToHaveTextAsync("No longer sold");
        var category = SampleShop.All[19].Category;
        await visit.Page.GetByRole(AriaRole.Link, new() { Name = category.Name }).ClickAsync();
        var count = SampleShop.Shown.Count(product => product.Category.Id == category.Id);
        await visit.Cards.Nth(59).ScrollIntoViewIfNeededAsync();
        await Expect(visit.Status).ToHaveTextAsync($"{count} products");
        await Expect(visit.Page.Locator("[name=categoryId] option:checked")).ToHaveTextAsync(category.Name!);
    }

    [Fact]
    public async Task Reviews_of_one_product_are_never_shown_with_another()
    {
        await using var visit = await shop.VisitAsync($"/?product={reviewed.Id}");
        await Expect(visit.Page.Locator("#reviews .review")).Not.ToHaveCountAsync(0);
        var other = SampleShop.Shown[0];
        var answer = new TaskCompletionSource();
        await visit.Page.RouteAsync($"**/reviews/cursor?productId={other.Id}&*", async route =>
        {
            await answer.Task;
            await route.ContinueAsync();
        });
        await visit.Page.GetByRole(AriaRole.Link, new() { Name = "All products" }).ClickAsync();
        await visit.Cards.First.ClickAsync();
        await Expect(visit.Title).ToHaveTextAsync(other.Name);
        await Expect(visit.Page.Locator("#reviews .review")).ToHaveCountAsync(0);

        answer.SetResult();
        await Expect(visit.Page.Locator("#reviews .status")).ToHaveTextAsync("No reviews yet.");
        await Expect(visit.Page.Locator("#reviews .review")).ToHaveCountAsync(0);
    }
}
