using System.Text.Json;
using System.Web;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Storefront.Tests;

/// <summary>The page of a shop that has more categories than a person can read.</summary>
public sealed class ManyCategoriesTests(SampleShop shop) : IClassFixture<SampleShop>
{
    private const int Many = 5_000;

    [Fact]
    public async Task Of_thousands_of_categories_those_that_are_shown_are_named_with_few_requests()
    {
        // The list of a category that does not exist.
        await using var visit = (await shop.VisitAsync("/?product=1")).ExpectFailedResponses();
        await GiveAsync(visit, Many);
        var requests = RequestsOf(visit);
        await visit.GoAsync("/?product=1");
        await Expect(visit.Title).ToHaveTextAsync(SampleShop.All[0].Name);
        await Expect(visit.Page.Locator("#reviews .status")).ToHaveTextAsync("No reviews yet.");
        requests.ShouldBeEmpty();

        await visit.GoAsync("/?categoryId=4321");
        var facets = visit.Page.Locator("#facets a[href*='categoryId='], #facets [aria-current]");
        string[] largest = [.. Enumerable.Range(0, 20).Select(place => NameOf(Many - place))];
        await Expect(facets).ToHaveTextAsync([.. largest, NameOf(4321)]);
        var options = visit.Page.GetByLabel("Category").Locator("option");
        await Expect(options).ToHaveTextAsync(["All", NameOf(4321), .. largest]);
        await Expect(visit.Page.GetByLabel("Category")).ToHaveValueAsync("4321");
        requests.Count.ShouldBeLessThan(5);
    }

    [Fact]
    public async Task The_start_of_a_shop_with_thousands_of_categories_links_to_some_of_them()
    {
        await using var visit = await shop.VisitAsync("/?product=1");
        await GiveAsync(visit, Many);
        await visit.GoAsync("/");
        var links = visit.Page.Locator("#home .groups a");
        await Expect(links).ToHaveTextAsync(Enumerable.Range(0, 20).Select(place => NameOf(100 - place)));
    }

    [Fact]
    public async Task The_button_for_more_names_a_hundred_further_categories_each_time_until_all_are_named()
    {
        await using var visit = (await shop.VisitAsync("/?product=1")).ExpectFailedResponses();
        await GiveAsync(visit, 250);
        await visit.GoAsync("/");
        var (links, more) = (visit.Page.Locator("#home .groups a"), visit.Page.Locator("#home .groups .more"));
        foreach (var named in (int[])[100, 200])
        {
            await more.ClickAsync();
            await Expect(links).ToHaveTextAsync(Enumerable.Range(1, named).Select(NameOf));
        }

        await visit.Page.RouteAsync("**/categories/cursor?*", route => route.AbortAsync());
        await more.ClickAsync();
        await Expect(visit.Page.Locator("#home .groups .problem")).ToBeVisibleAsync();
        await Expect(links).ToHaveCountAsync(200);

        await visit.Page.UnrouteAsync("**/categories/cursor?*");
        await GiveAsync(visit, 250);
        await more.ClickAsync();
        await Expect(links).ToHaveTextAsync(Enumerable.Range(1, 250).Select(NameOf));
        await Expect(more).ToBeHiddenAsync();
        await Expect(visit.Page.Locator("#home .groups .problem")).ToBeHiddenAsync();
        await Expect(links.Nth(249)).ToHaveAttributeAsync("href", "/?categoryId=250");
    }

    [Fact]
    public async Task The_start_of_a_shop_with_some_dozens_of_categories_leads_to_the_field_that_has_them_all()
    {
        await using var visit = await shop.VisitAsync("/?product=1");
        await GiveAsync(visit, 50);
        var requests = RequestsOf(visit);
        await visit.GoAsync("/");
        await Expect(visit.Page.Locator("#home .groups a")).ToHaveCountAsync(21);
        await visit.Page.GetByRole(AriaRole.Link, new() { Name = "All categories" }).ClickAsync();
        var field = visit.Page.GetByLabel("Category");
        await Expect(field).ToBeFocusedAsync();
        await Expect(visit.Page).ToHaveURLAsync(shop.Url.ToString());
        await Expect(field.Locator("option")).ToHaveCountAsync(51);
        requests.Count.ShouldBe(1);
    }

    private static string NameOf(int id) => $"Group {id}";

    private static object Category(int id) => new { id, name = NameOf(id), isActive = true, productCount = id };

    private static List<string> RequestsOf(Visit visit)
    {
        var requests = new List<string>();
        visit.Page.Request += (_, request) =>
        {
            if (request.Url.Contains("/categories/", StringComparison.Ordinal)) requests.Add(request.Url);
        };
        return requests;
    }

    // Answers as a shop with so many categories, each with as many products as its id.
    private static async Task GiveAsync(Visit visit, int count)
    {
        await visit.Page.RouteAsync("**/categories/cursor?*", route =>
        {
            var first = int.Parse(QueryOf(route)["after"] ?? "1", null);
            return SendAsync(route, new
            {
                data = Enumerable.Range(first, Math.Min(count + 1 - first, 100)).Select(Category),
                hasMore = count >= first + 100,
                nextCursor = $"{first + 100}",
            });
        });
        await visit.Page.RouteAsync("**/categories/batch?*", route => SendAsync(route, new
        {
            data = QueryOf(route)["ids"]!.Split(',').Select(id => Category(int.Parse(id, null))),
        }));
        await visit.Page.RouteAsync("**/products/facets?*", route => SendAsync(route, new
        {
            categories = QueryOf(route)["categoryId"] is { } id
                ? [new { id = int.Parse(id, null), count = 7 }]
                : Enumerable.Range(1, count).Select(id => new { id, count = id }),
            prices = Array.Empty<int>(), ratings = Array.Empty<int>(), stock = Array.Empty<int>(),
        }));
    }

    private static System.Collections.Specialized.NameValueCollection QueryOf(IRoute route) =>
        HttpUtility.ParseQueryString(new Uri(route.Request.Url).Query);

    private static Task SendAsync(IRoute route, object body) => route.FulfillAsync(
        new() { ContentType = "application/json", Body = JsonSerializer.Serialize(body) });
}
