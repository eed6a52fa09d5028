using ApexShop.Browser;
using ApexShop.TestKit;
using ApexShop.TestKit.Clients;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests.Admin;

/// <summary>The key, hostile texts, the keyboard, small screens and assistive technology.</summary>
[Collection(nameof(SharedShop))]
public sealed class AdminUseTests(LiveShop shop)
{
    private const string Hostile = "<script>window.hit = 1</script><img src=x onerror='window.hit = 1'>";

    [Fact]
    public async Task One_key_opens_both_pages_and_is_in_no_address()
    {
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin", key: null);
        var addresses = new List<string>();
        visit.Page.Request += (_, request) => addresses.Add(request.Url);
        visit.ExpectFailure();
        var key = visit.Page.GetByLabel("Key", new() { Exact = true });
        await key.FillAsync("no-such-key");
        await key.PressAsync("Enter");
        await Expect(visit.Page.Locator("#key-problem")).ToHaveTextAsync("This key is not valid.");
        await key.FillAsync(TestKeys.Everything);
        await key.PressAsync("Enter");
        await Expect(visit.Heading).ToHaveTextAsync("Products");
        await visit.Link("Console").ClickAsync();
        await Expect(visit.Page.Locator("#connection")).ToHaveTextAsync("Live");
        await visit.Link("Shop").ClickAsync();
        await Expect(visit.Heading).ToHaveTextAsync("Products");
        addresses.ShouldNotContain(one => one.Contains(TestKeys.Everything, StringComparison.Ordinal));

        await visit.Button("Remove the key").ClickAsync();
        await Expect(key).ToBeFocusedAsync();
        (await visit.Page.Locator("#view > *").CountAsync()).ShouldBe(0);
        await visit.Page.ReloadAsync();
        await Expect(key).ToBeVisibleAsync();
    }

    [Fact]
    public async Task A_browser_that_stores_nothing_asks_for_the_key_and_has_it_until_the_page_is_left()
    {
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin", key: null);
        await visit.Page.AddInitScriptAsync("""
            const get = () => { throw new DOMException('Access is denied.', 'SecurityError'); };
            Object.defineProperty(window, 'sessionStorage', { get });
            """);
        await visit.Page.ReloadAsync();
        var key = visit.Page.GetByLabel("Key", new() { Exact = true });
        await key.FillAsync(TestKeys.Everything);
        await key.PressAsync("Enter");
        await Expect(visit.Heading).ToHaveTextAsync("Products");
        await visit.Link("Orders").ClickAsync();
        await Expect(visit.Heading).ToHaveTextAsync("Orders");
    }

    [Fact]
    public async Task A_page_that_the_browser_has_kept_asks_for_the_key_if_it_was_removed_meanwhile()
    {
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=products");
        await Expect(visit.Heading).ToHaveTextAsync("Products");
        await visit.Page.EvaluateAsync("""
            () => {
                sessionStorage.removeItem('apexshop.key');
                dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
            }
            """);
        await Expect(visit.Page.GetByLabel("Key", new() { Exact = true })).ToBeFocusedAsync();
        (await visit.Page.Locator("#view > *").CountAsync()).ShouldBe(0);
    }

    [Fact]
    public async Task A_key_without_a_scope_sees_what_it_may()
    {
        var (category, _) = await shop.AddProductsAsync("For everyone");
        await using var visit = await AdminVisit.OpenAsync(
            shop, $"/admin?view=products&categoryId={category}", key: TestKeys.Admin);
        await Expect(visit.Row("For everyone")).ToHaveCountAsync(1);
        visit.ExpectFailure();
        await visit.Link("Orders").ClickAsync();
        await Expect(visit.Page.GetByText("This key may not read orders.")).ToBeVisibleAsync();
    }

    [Fact]
    public async Task A_key_without_the_scope_of_the_console_is_kept_for_the_admin_pages()
    {
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin", key: null);
        visit.ExpectFailure();
        var key = visit.Page.GetByLabel("Key", new() { Exact = true });
        await key.FillAsync(TestKeys.Events);
        await key.PressAsync("Enter");
        await Expect(visit.Heading).ToHaveTextAsync("Products");
        await visit.Link("Console").ClickAsync();
        var problem = visit.Page.Locator("#key-problem");
        await Expect(problem).ToHaveTextAsync("This key may not read the pipeline (scope admin).");
        await visit.Page.GetByLabel("Admin key").FillAsync("no-such-key");
        await visit.PressAsync("Enter");
        await Expect(problem).ToHaveTextAsync("This key is not valid.");
        await visit.GoAsync("/admin");
        await Expect(visit.Heading).ToHaveTextAsync("Products");

        await visit.Link("Console").ClickAsync();
        await visit.Button("Remove the key").ClickAsync();
        await Expect(problem).ToHaveTextAsync("");
        await visit.GoAsync("/admin");
        await Expect(key).ToBeFocusedAsync();
    }

    [Fact]
    public async Task The_link_to_the_content_keeps_what_was_typed()
    {
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=categories&id=new");
        await visit.Field("name").FillAsync("Not saved yet");
        var address = visit.Page.Url;
        await visit.Page.Locator(".skip").PressAsync("Enter");
        await Expect(visit.Page.GetByRole(AriaRole.Main)).ToBeFocusedAsync();
        await visit.SettleAsync();
        await Expect(visit.Field("name")).ToHaveValueAsync("Not saved yet");
        visit.Page.Url.ShouldBe(address);
    }

    [Fact]
    public async Task Texts_of_the_shop_never_become_markup()
    {
        var (category, ids) = await shop.AddProductsAsync(Hostile);
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&categoryId={category}");
        await Expect(visit.Row(Hostile)).ToHaveCountAsync(1);
        await visit.Link(Hostile).ClickAsync();
        await Expect(visit.Heading).ToHaveTextAsync(Hostile);
        await visit.Button("Show the history").ClickAsync();
        await Expect(visit.Page.Locator(".history")).ToContainTextAsync(Hostile);
        await visit.Button("Delete").ClickAsync();
        await Expect(visit.Dialog).ToContainTextAsync(Hostile);
        await visit.PressAsync("Escape");
        await shop.Client().ReplaceAsync("products", ids[0], Bodies.ProductReplacement(category, $"Now {Hostile}"));
        await shop.Client().SeesAsync("products", ids[0], one => (string?)one["name"] == $"Now {Hostile}");
        visit.ExpectFailure();
        await visit.Field("name").FillAsync("Mine");
        await visit.Button("Save").ClickAsync();
        await Expect(visit.Page.Locator(".conflict")).ToContainTextAsync($"Now {Hostile}");
        (await visit.Page.Locator("#view :is(script, img)").CountAsync()).ShouldBe(0);
        (await visit.Page.EvaluateAsync<bool>("() => 'hit' in window")).ShouldBeFalse();
    }

    [Fact]
    public async Task A_product_is_edited_with_the_keyboard_only()
    {
        var (category, ids) = await shop.AddProductsAsync("Typed");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&categoryId={category}");
        await Expect(visit.Rows).ToHaveCountAsync(1);
        await Expect(visit.Heading).ToBeFocusedAsync();
        for (var i = 0; await visit.FocusAsync() != "Typed"; i++)
        {
            i.ShouldBeLessThan(40);
            await visit.PressAsync("Tab");
        }

        await visit.PressAsync("Enter");
        await Expect(visit.Heading).ToHaveTextAsync("Typed");
        await Expect(visit.Heading).ToBeFocusedAsync();
        await visit.PressAsync("Tab");
        await Expect(visit.Field("name")).ToBeFocusedAsync();
        await visit.PressAsync("End");
        await visit.Page.Keyboard.TypeAsync(" here");
        await visit.PressAsync("Enter");
        await Expect(visit.Outcome).ToHaveTextAsync("Saved.");
        await Expect(visit.Heading).ToBeFocusedAsync();
        await shop.Client().SeesAsync("products", ids[0], one => (string?)one["name"] == "Typed here");
    }

    [Theory]
    [InlineData(1280)]
    [InlineData(360)]
    [InlineData(320)]
    public async Task Every_view_fits_and_passes_the_checks_in_light_and_dark(int width)
    {
        var (category, ids) = await shop.AddProductsAsync($"Wide {new string('W', 150)}");
        var user = await shop.AddAsync("users", Bodies.User($"{Guid.NewGuid():N}@example.com"));
        var order = await shop.AddAsync("orders", Bodies.Order(user, (ids[0], 2)));
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin", width, key: null);
        await visit.ShouldBeAccessibleAsync("the entry");
        await visit.Page.EvaluateAsync($"() => sessionStorage.setItem('apexshop.key', '{TestKeys.Everything}')");
        await visit.GoAsync($"/admin?view=products&categoryId={category}");
        await visit.Page.GetByLabel("Select all").CheckAsync();
        await CheckAsync(visit, "the products with a selection", width);
        await visit.GoAsync($"/admin?view=orders&customerId={user}");
        await Expect(visit.Rows).ToHaveCountAsync(1);
        await CheckAsync(visit, "the orders", width);
        await visit.GoAsync($"/admin?view=orders&id={order}");
        await Expect(visit.Page.Locator("#status")).ToHaveTextAsync("Pending");
        await CheckAsync(visit, "an order", width);
        await visit.GoAsync("/admin?view=users&do=import");
        await Expect(visit.Heading).ToHaveTextAsync("Import customers");
        await CheckAsync(visit, "the import", width);
        await CheckProductAsync(visit, category, ids[0], width);
    }

    private async Task CheckProductAsync(AdminVisit visit, int category, int id, int width)
    {
        await visit.GoAsync($"/admin?view=products&id={id}");
        await visit.Button("Add an image").ClickAsync();
        await visit.Button("Show the history").ClickAsync();
        await Expect(visit.Page.Locator(".history > li")).Not.ToHaveCountAsync(0);
        visit.ExpectFailure();
        await visit.Field("price").FillAsync("1.001");
        await visit.Button("Save").ClickAsync();
        await Expect(visit.Error("price")).Not.ToHaveTextAsync("");
        await CheckAsync(visit, "a product with errors", width);
        await visit.Button("Remove").ClickAsync();
        await visit.Field("price").FillAsync("5");
        await shop.Client().ReplaceAsync("products", id, Bodies.ProductReplacement(category, "Theirs", 6));
        await shop.Client().SeesAsync("products", id, one => (string?)one["name"] == "Theirs");
        await visit.Button("Save").ClickAsync();
        await Expect(visit.Button("Save again")).ToBeVisibleAsync();
        await CheckAsync(visit, "a conflict", width);
        await visit.Button("Delete").ClickAsync();
        await Expect(visit.Dialog).ToBeVisibleAsync();
        await visit.ShouldBeAccessibleAsync("a question");
    }

    private static async Task CheckAsync(AdminVisit visit, string what, int width)
    {
        await visit.ShouldBeAccessibleAsync(what);
        (await visit.Page.EvaluateAsync<int>("() => document.documentElement.scrollWidth")).ShouldBe(width, what);
    }
}
