using System.Globalization;
using System.Net;
using System.Net.Http.Json;
using System.Text.RegularExpressions;
using ApexShop.TestKit.Clients;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests.Admin;

/// <summary>The tables.</summary>
[Collection(nameof(SharedShop))]
public sealed class AdminListTests(LiveShop shop)
{
    [Fact]
    public async Task Every_resource_has_a_table()
    {
        var (category, ids) = await shop.AddProductsAsync("Shown everywhere");
        var email = $"{Guid.NewGuid():N}@example.com";
        var user = await shop.AddAsync("users", Bodies.User(email));
        var order = await shop.AddAsync("orders", Bodies.Order(user, (ids[0], 2)));
        var review = await shop.AddAsync("reviews", Bodies.Review(ids[0], user, 4, "Good light"));
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&categoryId={category}");
        await Expect(visit.Rows).ToContainTextAsync(["Shown everywhere"]);
        await Expect(visit.Rows).ToContainTextAsync(["$19.90"]);

        foreach (var (name, query, text) in ((string, string, string)[])
        [
            ("Categories", "", ""),
            ("Orders", $"customerId={user}", "$39.80"),
            ("Customers", $"email={email}", "Grace Hopper"),
            ("Reviews", $"productId={ids[0]}", "Good light"),
        ])
        {
            await visit.Link(name).ClickAsync();
            await Expect(visit.Heading).ToHaveTextAsync(name);
            await Expect(visit.Row(text)).Not.ToHaveCountAsync(0);
            if (query.Length == 0) continue;
            var (filter, value) = (query.Split('=')[0], query.Split('=')[1]);
            await visit.Page.Locator($"[name={filter}]").FillAsync(value);
            await visit.Page.Locator($"[name={filter}]").PressAsync("Enter");
            await Expect(visit.Rows).ToHaveCountAsync(1);
            await Expect(visit.Rows).ToContainTextAsync([text]);
        }

        (order, review).ShouldNotBe((0, 0));
    }

    [Fact]
    public async Task Filters_and_the_order_are_in_the_address_and_Back_undoes_them()
    {
        var word = $"w{Guid.NewGuid():N}";
        var (category, _) = await shop.AddProductsAsync($"Chair {word}", $"Desk {word}", "Sofa");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&categoryId={category}");
        await Expect(visit.Rows).ToHaveCountAsync(3);
        await visit.Page.GetByLabel("Search").FillAsync(word);
        await visit.Page.GetByLabel("Search").PressAsync("Enter");
        await Expect(visit.Rows).ToHaveCountAsync(2);
        await Expect(visit.Page.GetByLabel("Search")).ToBeFocusedAsync();
        await visit.Page.GetByLabel("Order").SelectOptionAsync("newest");
        await Expect(visit.Rows.First).ToContainTextAsync("Desk");
        await Expect(visit.Page).ToHaveURLAsync(new Regex($"(?=.*categoryId={category})(?=.*sort=newest)"));

        await visit.Page.GoBackAsync();
        await Expect(visit.Rows.First).ToContainTextAsync("Chair");
        await visit.Page.GoBackAsync();
        await Expect(visit.Rows).ToHaveCountAsync(3);
        await Expect(visit.Page.GetByLabel("Search")).ToHaveValueAsync("");
        await visit.Page.GoForwardAsync();
        await visit.Page.ReloadAsync();
        await Expect(visit.Rows).ToHaveCountAsync(2);
        await Expect(visit.Page.GetByLabel("Search")).ToHaveValueAsync(word);
    }

    [Fact]
    public async Task The_pages_of_a_list_follow_each_other()
    {
        var (category, _) = await shop.AddProductsAsync();
        var items = Enumerable.Range(1, 60).Select(i => Bodies.Product(category, $"Row {i}"));
        using var created = await shop.Shop.Commands.Http.PostAsJsonAsync("/products/bulk", items);
        created.StatusCode.ShouldBe(HttpStatusCode.Created);
        await shop.Client().SeesAsync("categories", category, one => (int)one["productCount"]! == 60);
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&categoryId={category}");
        await Expect(visit.Rows).ToHaveCountAsync(50);
        await Expect(visit.Link("Previous")).ToHaveCountAsync(0);

        await visit.Link("Next").ClickAsync();
        await Expect(visit.Rows).ToHaveCountAsync(10);
        await Expect(visit.Link("Next")).ToHaveCountAsync(0);
        await visit.Link("Previous").ClickAsync();
        await Expect(visit.Rows).ToHaveCountAsync(50);
        await Expect(visit.Rows.First).ToContainTextAsync("Row 1");
    }

    [Fact]
    public async Task A_filter_that_is_not_valid_is_reported_and_can_be_corrected()
    {
        var (category, _) = await shop.AddProductsAsync("Found again");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&categoryId={category}");
        await Expect(visit.Rows).ToHaveCountAsync(1);
        visit.ExpectFailure();
        await visit.Page.GetByLabel("Price from").FillAsync("cheap");
        await visit.Page.GetByLabel("Price from").PressAsync("Enter");
        await Expect(visit.ListOutcome).ToContainTextAsync("minPrice");
        await Expect(visit.Rows).ToHaveCountAsync(0);
        await visit.Page.GetByLabel("Price from").FillAsync("1");
        await visit.Page.GetByLabel("Price from").PressAsync("Enter");
        await Expect(visit.Rows).ToHaveCountAsync(1);
    }

    [Theory]
    [InlineData("UTC")]
    [InlineData("Pacific/Kiritimati")]
    [InlineData("Pacific/Honolulu")]
    public async Task The_last_day_of_a_filter_is_in_the_list_and_days_are_those_of_the_reader(string zone)
    {
        var (_, ids) = await shop.AddProductsAsync("Ordered today");
        var user = await shop.AddAsync("users", Bodies.User($"{Guid.NewGuid():N}@example.com"));
        await shop.AddAsync("orders", Bodies.Order(user, (ids[0], 1)));
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=orders&customerId={user}", zone: zone);
        await Expect(visit.Rows).ToHaveCountAsync(1);
        // The table has the day of the order in this zone.
        var day = DateTime.Parse(
            await visit.Rows.First.Locator("td.minor").First.InnerTextAsync(), CultureInfo.InvariantCulture);

        await visit.GoAsync($"/admin?view=orders&customerId={user}&fromDate={day:yyyy-MM-dd}&toDate={day:yyyy-MM-dd}");
        await Expect(visit.Rows).ToHaveCountAsync(1);
        await Expect(visit.Page.Locator("[name=toDate]")).ToHaveValueAsync($"{day:yyyy-MM-dd}");
        await visit.GoAsync($"/admin?view=orders&customerId={user}&toDate={day.AddDays(-1):yyyy-MM-dd}");
        await Expect(visit.Page.GetByText("No orders are in this list.")).ToBeVisibleAsync();
        await visit.GoAsync($"/admin?view=orders&customerId={user}&fromDate={day.AddDays(1):yyyy-MM-dd}");
        await Expect(visit.Page.GetByText("No orders are in this list.")).ToBeVisibleAsync();
    }

    [Fact]
    public async Task An_amount_has_its_cents_in_every_currency()
    {
        var (category, _) = await shop.AddProductsAsync("Paid in yen");
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=categories");
        await visit.Page.RouteAsync("**/products/cursor?*", async route =>
        {
            var real = await route.FetchAsync();
            var body = (await real.TextAsync()).Replace("\"USD\"", "\"JPY\"", StringComparison.Ordinal);
            await route.FulfillAsync(new() { Response = real, Body = body });
        });
        await visit.GoAsync($"/admin?view=products&categoryId={category}");
        await Expect(visit.Rows.First).ToContainTextAsync("\u00a519.90");
    }
}
