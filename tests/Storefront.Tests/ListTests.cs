using static Microsoft.Playwright.Assertions;

namespace ApexShop.Storefront.Tests;

public sealed class ListTests(SampleShop shop) : IClassFixture<SampleShop>
{
    private static readonly string[] allNames = [.. SampleShop.Shown.Select(product => product.Name)];

    [Fact]
    public async Task The_newest_products_are_first_and_those_no_longer_sold_are_not_shown()
    {
        await using var visit = await shop.VisitAsync();
        await Expect(visit.Status).ToHaveTextAsync("The first 60 products");
        await visit.ShowsAsync(allNames.Take(60));
    }

    [Fact]
    public async Task Scrolling_down_shows_every_product_once_and_in_order_to_the_end()
    {
        await using var visit = await shop.VisitAsync();
        for (var count = 60; count < allNames.Length; count += 60)
        {
            await Expect(visit.Cards.Nth(count - 1)).ToBeVisibleAsync();
            await visit.Cards.Nth(count - 1).ScrollIntoViewIfNeededAsync();
        }

        await Expect(visit.Status).ToHaveTextAsync($"{allNames.Length} products");
        await visit.ShowsAsync(allNames);
        await Expect(visit.Page.GetByRole(Microsoft.Playwright.AriaRole.Button, new() { Name = "More products" }))
            .ToBeHiddenAsync();
    }

    [Fact]
    public async Task The_list_goes_on_when_the_last_product_that_it_shows_was_deleted()
    {
        await using var visit = (await shop.VisitAsync("/cart")).ExpectFailedResponses();
        // As the shop refuses the id of a deleted product.
        await visit.Page.RouteAsync(
            address => address.Contains("afterId=", StringComparison.Ordinal),
            route => route.FulfillAsync(new()
            {
                Status = 400,
                ContentType = "application/problem+json",
                Body = """{"status":400,"code":"request.invalid"}""",
            }));
        await visit.GoAsync("/");
        await visit.Cards.Nth(59).ScrollIntoViewIfNeededAsync();

        await visit.ShowsAsync(allNames.Take(120));
    }

    [Theory]
    [InlineData("price")]
    [InlineData("-price")]
    [InlineData("name")]
    public async Task A_list_in_an_order_that_changes_is_read_by_cursor_from_its_beginning(string sort)
    {
        await using var visit = await shop.VisitAsync("/?product=1");
        var asked = new List<string>();
        visit.Page.Request += (_, request) =>
        {
            var isList = request.Url.Contains("/products/", StringComparison.Ordinal);
            if (isList && request.Url.Contains($"?sort={sort}&isActive", StringComparison.Ordinal))
                asked.Add(request.Url);
        };
        await visit.GoAsync($"/?sort={sort}");
        await Expect(visit.Cards).ToHaveCountAsync(60);
        await visit.Cards.Nth(59).ScrollIntoViewIfNeededAsync();
        await Expect(visit.Cards).ToHaveCountAsync(120);

        (await visit.NamesAsync()).Take(120).Distinct().Count().ShouldBe(120);
        asked.ShouldAllBe(address => address.Contains("/products/cursor?", StringComparison.Ordinal));
        // After the id of a product, its price of now would decide where the page begins.
        asked.ShouldAllBe(address => !address.Contains("afterId=", StringComparison.Ordinal));
        asked.Count(address => address.Contains("after=", StringComparison.Ordinal)).ShouldBe(asked.Count - 1);
    }

    [Fact]
    public async Task A_list_by_price_whose_documents_were_rebuilt_begins_again_and_shows_nothing_twice()
    {
        await using var visit = (await shop.VisitAsync("/?product=1")).ExpectFailedResponses();
        await visit.Page.RouteAsync(
            address => address.Contains("after=", StringComparison.Ordinal),
            Visit.Once(route => route.FulfillAsync(new()
            {
                Status = 410,
                ContentType = "application/problem+json",
                Body = """{"status":410,"code":"cursor.expired"}""",
            })));
        await visit.GoAsync("/?sort=price");
        await Expect(visit.Cards).ToHaveCountAsync(60);
        await visit.Cards.Nth(59).ScrollIntoViewIfNeededAsync();
        await Expect(visit.Cards).ToHaveCountAsync(120);
        var prices = SampleShop.Shown.Select(product => product.Price).Order().Take(120);
        (await visit.Cards.Locator(".price").AllTextContentsAsync())
            .ShouldBe(prices.Select(price => FormattableString.Invariant($"${price:0.00}")));
    }

    [Fact]
    public async Task A_search_narrows_the_list_and_is_part_of_the_address()
    {
        await using var visit = await shop.VisitAsync();
        var found = SampleShop.Shown.Where(product => product.Name.StartsWith("Oak lamp", StringComparison.Ordinal))
            .ToList();

        await visit.Search.FillAsync("lamps of oak");
        await Expect(visit.Status).ToHaveTextAsync($"{found.Count} products");
        await visit.ShowsAsync(found.Select(product => product.Name));
        await Expect(visit.Page).ToHaveURLAsync(new Uri(shop.Url, "/?q=lamps+of+oak").ToString());
    }

    [Fact]
    public async Task Filters_and_order_combine_and_an_address_with_them_shows_the_same()
    {
        await using var visit = await shop.VisitAsync();
        await visit.Page.GetByLabel("Category").SelectOptionAsync("Garden");
        await visit.Page.GetByLabel("Price from").FillAsync("20");
        await visit.Page.GetByLabel("Price to").FillAsync("80.50");
        await visit.Page.GetByLabel("In stock").CheckAsync();
        await visit.Page.GetByLabel("Order").SelectOptionAsync("Cheapest");
        var found = SampleShop.Shown
            .Where(product => product is { Category.Name: "Garden", Price: >= 20 and <= 80.50m, Stock: > 0 })
            .OrderBy(product => product.Price).ThenBy(product => product.Id)
            .Select(product => product.Name).ToList();

        await Expect(visit.Status).ToHaveTextAsync($"{found.Count} products");
        await visit.ShowsAsync(found);

        await visit.Page.ReloadAsync();
        await Expect(visit.Status).ToHaveTextAsync($"{found.Count} products");
        await visit.ShowsAsync(found);
        await Expect(visit.Page.Locator("[name=categoryId] option:checked")).ToHaveTextAsync("Garden");
        await Expect(visit.Page.GetByLabel("Price to")).ToHaveValueAsync("80.50");
    }

    [Fact]
    public async Task An_empty_list_has_a_message_and_clearing_the_filters_shows_all_products()
    {
        await using var visit = await shop.VisitAsync("/?q=submarine");
        await Expect(visit.Status).ToHaveTextAsync("No products found.");
        await Expect(visit.Cards).ToHaveCountAsync(0);

        await visit.Page.GetByRole(Microsoft.Playwright.AriaRole.Button, new() { Name = "Clear" }).ClickAsync();
        await Expect(visit.Status).ToHaveTextAsync("The first 60 products");
        await Expect(visit.Page).ToHaveURLAsync(shop.Url.ToString());
    }

    [Fact]
    public async Task Prices_and_stock_are_formatted()
    {
        await using var visit = await shop.VisitAsync();
        var product = SampleShop.Shown[0];
        var card = visit.Cards.First;
        await Expect(card.Locator(".price")).ToHaveTextAsync(
            product.Price.ToString("$0.00", System.Globalization.CultureInfo.InvariantCulture));
        await Expect(card.Locator(".stock")).ToHaveTextAsync($"Only {product.Stock} left");
        await Expect(card.Locator(".category")).ToHaveTextAsync(product.Category.Name!);
    }
}
