using ApexShop.Browser;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Storefront.Tests;

/// <summary>The cart, the sign-in and the views of a shop that sells, as such.</summary>
public sealed class CartTests(SellingShop shop) : IClassFixture<SellingShop>
{
    [Fact]
    public async Task The_cart_is_kept_changed_and_emptied()
    {
        var (cup, jug) = (await shop.AddWareAsync("Cup", price: 0.1m), await shop.AddWareAsync("Jug", price: 19.99m));
        await using var visit = await shop.VisitAsync();
        foreach (var ware in (Ware[])[cup, jug])
            await visit.Cards.Filter(new() { HasText = ware.Name }).GetByRole(AriaRole.Button).First.ClickAsync();
        await visit.GoAsync("/cart");
        await visit.Page.GetByLabel("Quantity: Cup").FillAsync("3");
        await visit.PressAsync("Tab");
        await Expect(visit.Total).ToHaveTextAsync("$20.29");
        await visit.Page.ReloadAsync();
        await Expect(visit.Total).ToHaveTextAsync("$20.29");
        await Expect(visit.CartLink).ToHaveTextAsync("Cart (4)");

        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Remove: Cup" }).ClickAsync();
        await Expect(visit.Lines).ToHaveCountAsync(1);
        await Expect(visit.Page.Locator("#cart-title")).ToBeFocusedAsync();
        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Remove: Jug" }).ClickAsync();
        await Expect(visit.Page.Locator("#cart .status")).ToHaveTextAsync("The cart is empty.");
    }

    [Fact]
    public async Task Back_leads_through_the_views_and_not_to_the_form_of_the_sign_in()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Bowl"), await shop.AddBuyerAsync());
        await using var visit = await shop.VisitAsync("/?q=bowl");
        await visit.Cards.First.Locator(".name").ClickAsync();
        await Expect(visit.Title).ToHaveTextAsync(ware.Name);
        await visit.Page.GetByRole(AriaRole.Link, new() { Name = "Sign in" }).ClickAsync();
        await visit.SignInAsync(buyer.Email);
        await Expect(visit.Page.Locator("#purchases .status")).ToHaveTextAsync("No orders yet.");

        await visit.Page.GoBackAsync();
        await Expect(visit.Title).ToHaveTextAsync(ware.Name);
        await visit.Page.GoBackAsync();
        await Expect(visit.Search).ToHaveValueAsync("bowl");
        await visit.Page.GoForwardAsync();
        await Expect(visit.Title).ToHaveTextAsync(ware.Name);
    }

    [Fact]
    public async Task A_token_stays_in_its_tab_until_the_customer_signs_out()
    {
        var buyer = await shop.AddBuyerAsync();
        await using var visit = (await shop.VisitAsync("/sign-in")).ExpectFailedResponses();
        await visit.Page.GetByLabel("E-mail").FillAsync(buyer.Email);
        await visit.Page.GetByLabel("Password").FillAsync("wrong horse");
        await visit.PressAsync("Enter");
        await Expect(visit.Page.GetByRole(AriaRole.Alert))
            .ToHaveTextAsync("The e-mail address or the password is wrong.", new() { UseInnerText = true });

        await visit.SignInAsync(buyer.Email);
        await Expect(visit.Page.Locator("#purchases .status")).ToHaveTextAsync("No orders yet.");
        (await KeptAsync(visit, "sessionStorage")).ShouldContain("customer_");
        (await KeptAsync(visit, "localStorage")).ShouldNotContain("customer_");
        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Sign out" }).ClickAsync();
        await Expect(visit.Page.GetByText("to see your orders.")).ToBeVisibleAsync();
        (await KeptAsync(visit, "sessionStorage")).ShouldNotContain("customer_");
    }

    [Fact]
    public async Task A_sign_out_ends_the_sign_in_of_every_tab()
    {
        var buyer = await shop.AddBuyerAsync();
        await using var visit = await shop.VisitAsync("/sign-in");
        await visit.SignInAsync(buyer.Email);
        // A tab that is opened by the page has a copy of what the page has stored.
        var other = await visit.Page.RunAndWaitForPopupAsync(
            () => visit.Page.EvaluateAsync("() => { open('/my-orders'); }"));
        await Expect(other.Locator("#purchases .status")).ToHaveTextAsync("No orders yet.");

        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Sign out" }).ClickAsync();

        await Expect(other.GetByText("to see your orders.")).ToBeVisibleAsync();
        (await other.EvaluateAsync<string>("JSON.stringify(sessionStorage)")).ShouldNotContain("customer_");
    }

    [Fact]
    public async Task A_sign_out_empties_the_address_in_every_tab()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Clamp"), await shop.AddBuyerAsync());
        await using var visit = await shop.VisitAsync("/sign-in");
        await visit.FillCartAsync(ware, buyer.Email);
        var other = await visit.Page.RunAndWaitForPopupAsync(
            () => visit.Page.EvaluateAsync("() => { open('/cart'); }"));
        var address = other.GetByLabel("Shipping address");
        await address.FillAsync("1 Main Street");

        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Sign out" }).ClickAsync();

        await Expect(address).ToHaveValueAsync("");
    }

    [Fact]
    public async Task A_sign_in_that_a_tab_has_kept_ends_with_an_earlier_sign_out_of_its_customer()
    {
        var (buyer, next) = (await shop.AddBuyerAsync(), await shop.AddBuyerAsync());
        await using var visit = await shop.VisitAsync("/sign-in");
        await visit.SignInAsync(buyer.Email);
        var kept = await KeptAsync(visit, "sessionStorage");
        var signOut = visit.Page.GetByRole(AriaRole.Button, new() { Name = "Sign out" });
        await signOut.ClickAsync();
        await visit.Page.GotoAsync(new Uri(shop.Shop.Queries.Url, "/sign-in").ToString());
        await visit.SignInAsync(next.Email);
        await signOut.ClickAsync();
        await Expect(visit.Page.GetByText("to see your orders.")).ToBeVisibleAsync();

        // As in a tab that the browser had suspended meanwhile.
        await visit.Page.EvaluateAsync("kept => Object.assign(sessionStorage, JSON.parse(kept))", kept);
        await visit.Page.ReloadAsync();
        await Expect(visit.Page.GetByText("to see your orders.")).ToBeVisibleAsync();

        await visit.Page.GotoAsync(new Uri(shop.Shop.Queries.Url, "/sign-in").ToString());
        await visit.SignInAsync(buyer.Email);
        await Expect(visit.Page.Locator("#purchases .status")).ToHaveTextAsync("No orders yet.");
    }

    [Fact]
    public async Task A_device_clock_that_is_later_than_the_end_of_the_sign_in_is_reported()
    {
        var buyer = await shop.AddBuyerAsync();
        await using var visit = await shop.VisitAsync("/sign-in");
        await visit.Page.Clock.SetFixedTimeAsync(TimeProvider.System.GetUtcNow().UtcDateTime.AddYears(1));
        await visit.Page.GetByLabel("E-mail").FillAsync(buyer.Email);
        await visit.Page.GetByLabel("Password").FillAsync(SellingShop.Password);
        await visit.PressAsync("Enter");
        await Expect(visit.Page.GetByRole(AriaRole.Alert)).ToHaveTextAsync(
            "The clock of this device is wrong. Correct it, then sign in again.", new() { UseInnerText = true });
        (await KeptAsync(visit, "sessionStorage")).ShouldNotContain("customer_");
    }

    [Fact]
    public async Task Enter_in_a_quantity_stores_it_and_orders_nothing_and_a_sign_out_empties_the_address()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Spool"), await shop.AddBuyerAsync());
        await using var visit = await shop.VisitAsync("/sign-in");
        await visit.FillCartAsync(ware, buyer.Email);
        var address = visit.Page.GetByLabel("Shipping address");
        await address.FillAsync("1 Main Street");
        var quantity = visit.Page.GetByLabel("Quantity: Spool");
        await quantity.FillAsync("3");
        await quantity.PressAsync("Enter");
        await Expect(visit.Total).ToHaveTextAsync("$37.50");
        await Expect(visit.Lines).ToHaveCountAsync(1);
        (await shop.OrdersAsync(buyer)).ShouldBe(0);

        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Sign out" }).ClickAsync();
        await Expect(address).ToHaveValueAsync("");
        await Expect(quantity).ToHaveValueAsync("3");
    }

    [Fact]
    public async Task A_browser_that_stores_nothing_shows_the_shop_and_says_what_cannot_be_done()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Mug"), await shop.AddBuyerAsync());
        await using var visit = await shop.VisitAsync();
        await visit.Page.AddInitScriptAsync("""
            for (const name of ['sessionStorage', 'localStorage']) {
                const get = () => { throw new DOMException('Access is denied.', 'SecurityError'); };
                Object.defineProperty(window, name, { get });
            }
            """);
        await visit.GoAsync("/");
        await visit.HoldSentenceAsync();
        var add = visit.Cards.Filter(new() { HasText = ware.Name }).GetByRole(AriaRole.Button);
        await add.ClickAsync();
        await Expect(add).ToHaveTextAsync("Your browser does not store the cart.");
        await visit.EndSentenceAsync();
        await Expect(add).ToHaveTextAsync("Add to cart");
        await Expect(visit.CartLink).ToHaveTextAsync("Cart");

        await visit.GoAsync("/sign-in");
        await visit.Page.GetByLabel("E-mail").FillAsync(buyer.Email);
        await visit.Page.GetByLabel("Password").FillAsync(SellingShop.Password);
        await visit.PressAsync("Enter");
        await Expect(visit.Page.GetByRole(AriaRole.Alert))
            .ToContainTextAsync("Your browser does not store the sign-in.", new() { UseInnerText = true });
    }

    [Fact]
    public async Task An_order_whose_key_cannot_be_stored_is_not_sent()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Vase"), await shop.AddBuyerAsync());
        await using var visit = await shop.VisitAsync("/sign-in");
        await visit.FillCartAsync(ware, buyer.Email);
        await Expect(visit.OrderButton).ToBeEnabledAsync();
        await visit.Page.EvaluateAsync("""
            () => {
                const write = Storage.prototype.setItem;
                Storage.prototype.setItem = function (place, text) {
                    if (text.includes('"order"')) throw new DOMException('It is full.', 'QuotaExceededError');
                    write.call(this, place, text);
                };
            }
            """);
        await visit.OrderAsync();
        await Expect(visit.Problem).ToContainTextAsync("Your browser does not store the cart.");
        (await shop.OrdersAsync(buyer)).ShouldBe(0);
    }

    [Theory]
    [InlineData("/cart/", "Cart")]
    [InlineData("/Cart", "Cart")]
    [InlineData("/my-orders/", "My orders")]
    [InlineData("/SIGN-IN?next=cart", "Sign in")]
    public async Task An_address_in_another_spelling_shows_its_view(string address, string heading)
    {
        await using var visit = await shop.VisitAsync(address);
        await Expect(visit.Page.GetByRole(AriaRole.Heading, new() { Level = 1 })).ToHaveTextAsync(heading);
    }

    [Theory]
    [InlineData(1280)]
    [InlineData(320)]
    public async Task Every_view_passes_the_checks_and_needs_no_scrolling_sideways(int width)
    {
        var (ware, buyer) = (await shop.AddWareAsync("Candelabrum of seven arms"), await shop.AddBuyerAsync());
        await using var visit = await shop.VisitAsync("/", width);
        await CheckAsync("#home .groups li");
        await visit.GoAsync(ware.Path);
        await CheckAsync("#product .add");
        await visit.AddAsync();
        await visit.GoAsync("/cart");
        await CheckAsync("#cart .line");
        await visit.GoAsync("/sign-in?next=cart");
        await CheckAsync("#sign-in");
        await visit.SignInAsync(buyer.Email);
        await visit.OrderAsync();
        await CheckAsync(".purchase");

        async Task CheckAsync(string shown)
        {
            await Expect(visit.Page.Locator(shown).First).ToBeVisibleAsync();
            await Expect(visit.Page.Locator(".skeleton")).ToHaveCountAsync(0);
            await visit.ShouldBeAccessibleAsync($"{shown} at {width}");
            (await visit.Page.EvaluateAsync<int>("() => document.documentElement.scrollWidth")).ShouldBe(width, shown);
        }
    }

    private static Task<string> KeptAsync(Visit visit, string place) =>
        visit.Page.EvaluateAsync<string>($"() => JSON.stringify({place})");
}
