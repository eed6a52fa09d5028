using System.Net;
using System.Text.Json;
using System.Text.RegularExpressions;
using ApexShop.ReadModels;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Storefront.Tests;

/// <summary>GET /p/{slug}: the page of a product in its first response, and in the browser.</summary>
public sealed partial class ProductPageTests(SampleShop shop) : IClassFixture<SampleShop>
{
    private static readonly ProductView reviewed = SampleShop.All[SampleShop.Reviewed - 1];

    [Fact]
    public async Task The_first_response_has_what_a_search_engine_reads()
    {
        var page = await shop.Http.GetStringAsync($"/p/{reviewed.Slug}");

        page.ShouldContain($"<title>{reviewed.Name} - ApexShop</title>");
        page.ShouldContain($"""<link rel="canonical" href="/p/{reviewed.Slug}">""");
        page.ShouldContain("""<meta name="description" content="Made of oak.""");
        page.ShouldContain($"tabindex=\"-1\">{reviewed.Name}</h1>");
        page.ShouldContain("""<p class="price">$68.00</p>""");
        page.ShouldContain("""data-state="few">Only 3 left</p>""");
        page.ShouldContain($"""<img src="/images/product-{reviewed.Id}.svg" width="800" """);
        page.ShouldContain("""height="600" alt="Furniture">""");
        var data = StructuredData(page);
        data.GetProperty("@type").GetString().ShouldBe("Product");
        data.GetProperty("name").GetString().ShouldBe(reviewed.Name);
        data.GetProperty("image").GetString().ShouldBe($"/images/product-{reviewed.Id}.svg");
        var offer = data.GetProperty("offers");
        (offer.GetProperty("price").GetString(), offer.GetProperty("priceCurrency").GetString(),
            offer.GetProperty("availability").GetString()).ShouldBe(("68.00", "USD", "https://schema.org/InStock"));
        data.GetProperty("aggregateRating").GetProperty("ratingValue").GetDecimal().ShouldBe(4.5m);
        data.GetProperty("aggregateRating").GetProperty("reviewCount").GetInt32().ShouldBe(SampleShop.ReviewCount);
    }

    [Fact]
    public async Task A_hostile_name_is_text_in_markup_in_structured_data_and_in_the_browser()
    {
        var address = $"/p/{SampleShop.SlugOf(SampleShop.MarkupId)}";
        var page = await shop.Http.GetStringAsync(address);
        page.ShouldNotContain("<script>document");
        page.ShouldNotContain("<img src=x");
        StructuredData(page).GetProperty("name").GetString().ShouldBe(SampleShop.Markup);

        await using var visit = await shop.VisitAsync(address);
        await Expect(visit.Page.Locator("#reviews .status")).ToHaveTextAsync("No reviews yet.");
        await Expect(visit.Title).ToHaveTextAsync(SampleShop.Markup);
        await Expect(visit.Page).ToHaveTitleAsync($"{SampleShop.Markup} - ApexShop");
        await Expect(visit.Page.Locator("main img")).ToHaveCountAsync(0);
    }

    [Fact]
    public async Task A_browser_without_scripts_shows_the_product()
    {
        await using var context = await shop.Chromium.NewReaderAsync(shop.Url, 1280, 900, hasScripts: false);
        var page = await context.NewPageAsync();
        await page.GotoAsync($"/p/{reviewed.Slug}");

        await Expect(page.Locator("#product-name")).ToBeVisibleAsync();
        await Expect(page.Locator("#product .price")).ToHaveTextAsync("$68.00");
        await Expect(page.GetByRole(AriaRole.Img, new() { Name = "Furniture" })).ToBeVisibleAsync();
    }

    [Fact]
    public async Task The_scripts_use_the_document_of_the_page_and_add_the_reviews()
    {
        await using var visit = await shop.VisitAsync("/?q=rawhide");
        // The last of what the list loads; its requests are not those of the page.
        await Expect(visit.Search).ToHaveAttributeAsync("placeholder", new Regex(","));
        await Expect(visit.Page.Locator("#facets")).ToBeVisibleAsync();
        var asked = new List<string>();
        visit.Page.Request += (_, request) => asked.Add(new Uri(request.Url).AbsolutePath);
        await visit.GoAsync($"/p/{reviewed.Slug}");
        await Expect(visit.Page.Locator("#reviews .review")).Not.ToHaveCountAsync(0);
        await Expect(visit.Title).ToHaveTextAsync(reviewed.Name);
        asked.ShouldContain("/reviews/cursor");
        asked.Where(path => path.StartsWith("/products/", StringComparison.Ordinal)).ShouldBeEmpty();

        await visit.Page.GetByText("All products").ClickAsync();
        await Expect(visit.Cards).ToHaveCountAsync(60);
        await Expect(visit.Page.Locator("[rel=canonical]")).ToHaveCountAsync(0);
        await visit.Page.GoBackAsync();
        await Expect(visit.Title).ToHaveTextAsync(reviewed.Name);
    }

    [Fact]
    public async Task A_card_leads_to_the_slug_or_without_one_to_the_id()
    {
        await using var visit = await shop.VisitAsync();
        await Expect(visit.Cards).ToHaveCountAsync(60);
        var links = await visit.Cards.Locator(".name").EvaluateAllAsync<string[]>(
            "links => links.map(link => link.getAttribute('href'))");
        links.ShouldBe(SampleShop.Shown.Take(60)
            .Select(product => product.Slug is null ? $"/?product={product.Id}" : $"/p/{product.Slug}"));
    }

    [Theory]
    [InlineData("unknown")]
    [InlineData("Product-9")]
    [InlineData("%3Cscript%3E")]
    public async Task An_address_without_a_product_is_a_page_with_404(string slug)
    {
        using var answer = await shop.Http.GetAsync($"/p/{slug}");
        answer.StatusCode.ShouldBe(HttpStatusCode.NotFound);
        answer.Content.Headers.ContentType!.MediaType.ShouldBe("text/html");
        answer.Headers.CacheControl!.NoStore.ShouldBeTrue();
        (await answer.Content.ReadAsStringAsync()).ShouldContain("This product is not in the shop</h1>");

        await using var visit = (await shop.VisitAsync("/?q=rawhide")).ExpectFailedResponses();
        await visit.GoAsync($"/p/{slug}");
        await Expect(visit.Page.Locator("#product > .problem")).ToBeVisibleAsync();
        await Expect(visit.Title).ToHaveTextAsync("This product is not in the shop");
    }

    [Fact]
    public async Task The_page_that_is_sent_while_the_shop_is_unavailable_offers_to_try_again()
    {
        var empty = await shop.Http.GetStringAsync("/");
        await using var visit = (await shop.VisitAsync("/?q=rawhide")).ExpectFailedResponses();
        await visit.Page.RouteAsync($"**/p/{reviewed.Slug}", route => route.FulfillAsync(new()
        {
            Status = 503,
            ContentType = "text/html",
            Body = empty,
        }));
        var document = $"**/products/by-slug/{reviewed.Slug}";
        await visit.Page.RouteAsync(document, route => route.FulfillAsync(new() { Status = 503, Body = "{}" }));
        await visit.GoAsync($"/p/{reviewed.Slug}");
        await Expect(visit.Title).ToHaveTextAsync("This product cannot be shown now");

        await visit.Page.UnrouteAsync(document);
        await visit.Page.Locator("#product > .problem button").ClickAsync();
        await Expect(visit.Title).ToHaveTextAsync(reviewed.Name);
    }

    [Fact]
    public async Task A_shop_without_a_command_API_sells_nothing()
    {
        using var cart = await shop.Http.GetAsync("/cart");
        cart.StatusCode.ShouldBe(HttpStatusCode.NotFound);
        using var page = await shop.Http.GetAsync($"/p/{reviewed.Slug}");
        page.Headers.GetValues("Content-Security-Policy").Single().ShouldContain("connect-src 'self';");

        await using var visit = await shop.VisitAsync($"/p/{reviewed.Slug}");
        await Expect(visit.Page.Locator("#reviews .review")).Not.ToHaveCountAsync(0);
        await Expect(visit.Page.Locator(".top nav")).ToBeHiddenAsync();
        await Expect(visit.Page.Locator(".add")).ToHaveCountAsync(0);
    }

    private static JsonElement StructuredData(string page) =>
        JsonElement.Parse(Script().Match(page).Groups[1].Value);

    [GeneratedRegex("""<script type="application/ld\+json">(.*?)</script>""", RegexOptions.Singleline)]
    private static partial Regex Script();
}
