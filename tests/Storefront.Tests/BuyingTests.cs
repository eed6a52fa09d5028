using System.Collections.Concurrent;
using System.Text.RegularExpressions;
using ApexShop.TestKit;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Storefront.Tests;

/// <summary>A customer buys: cart, sign-in, order, the own orders.</summary>
public sealed class BuyingTests(SellingShop shop) : IClassFixture<SellingShop>
{
    [Fact]
    public async Task A_customer_buys_and_sees_the_order_at_once()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Lantern"), await shop.AddBuyerAsync());
        await using var visit = await shop.VisitAsync(ware.Path);
        await visit.AddAsync();
        await visit.AddAsync();
        await Expect(visit.CartLink).ToHaveTextAsync("Cart (2)");
        await visit.CartLink.ClickAsync();
        await Expect(visit.Total).ToHaveTextAsync("$25.00");
        await visit.Page.GetByRole(AriaRole.Main).GetByRole(AriaRole.Link, new() { Name = "Sign in" }).ClickAsync();
        await visit.SignInAsync(buyer.Email);

        await visit.OrderAsync();
        await Expect(visit.Page).ToHaveURLAsync(new Uri(shop.Shop.Queries.Url, "/my-orders").ToString());
        await Expect(visit.Page.Locator(".placed")).ToContainTextAsync("is placed.");
        await Expect(visit.Purchases).ToHaveCountAsync(1);
        await Expect(visit.Purchases.First).ToContainTextAsync("2 \u00d7 Lantern, $25.00");
        await Expect(visit.Purchases.First.Locator(".state")).ToHaveTextAsync("Pending");
        await Expect(visit.CartLink).ToHaveTextAsync("Cart");
        (await shop.OrdersAsync(buyer)).ShouldBe(1);
    }

    [Fact]
    public async Task An_order_whose_response_was_lost_is_placed_once()
    {
        var buyer = await shop.AddBuyerAsync();
        await using var visit = await OrderWithoutResponseAsync("Candle", buyer.Email);
        (await shop.OrdersAsync(buyer)).ShouldBe(1);

        await visit.Page.ReloadAsync();
        await Expect(visit.Problem).ToContainTextAsync("it is not placed twice");
        await Expect(visit.Page.GetByLabel("Shipping address")).ToBeDisabledAsync();
        await visit.OrderButton.ClickAsync();
        await Expect(visit.Purchases).ToHaveCountAsync(1);
        await Expect(visit.CartLink).ToHaveTextAsync("Cart");
        (await shop.OrdersAsync(buyer)).ShouldBe(1);
    }

    [Fact]
    public async Task Nothing_is_added_to_the_cart_while_its_order_waits_for_a_response()
    {
        const string Sentence = "The last order has no response yet. Look at the cart.";
        var (other, buyer) = (await shop.AddWareAsync("Wax"), await shop.AddBuyerAsync());
        await using var visit = await OrderWithoutResponseAsync("Pillar", buyer.Email);
        await visit.GoAsync(other.Path);
        await visit.HoldSentenceAsync();
        var add = visit.Page.Locator("#product .add");
        await add.ClickAsync();
        await Expect(add).ToHaveTextAsync(Sentence);
        await Expect(visit.Page.Locator(".top [role=status]")).ToHaveTextAsync(Sentence);
        await Expect(visit.CartLink).ToHaveTextAsync("Cart (1)");
        await visit.EndSentenceAsync();
        await Expect(add).ToHaveTextAsync("Add to cart");

        await visit.CartLink.ClickAsync();
        await Expect(visit.Total).ToHaveTextAsync("$12.50");
        var change = visit.Page.GetByRole(AriaRole.Button, new() { Name = "Change the cart" });
        await change.ClickAsync();
        // The order is given up only after the page has checked that no other tab repeats it.
        await Expect(change).ToBeHiddenAsync();
        await visit.GoAsync(other.Path);
        await visit.AddAsync();
        await Expect(visit.CartLink).ToHaveTextAsync("Cart (2)");
    }

    [Fact]
    public async Task An_order_whose_response_was_lost_is_not_sent_again_when_its_key_may_have_expired()
    {
        var buyer = await shop.AddBuyerAsync();
        await using var visit = await OrderWithoutResponseAsync("Taper", buyer.Email);
        var sent = 0;
        visit.Page.Request += (_, request) => sent += request.Method == "POST" ? 1 : 0;

        // While the cart is shown, and when it is opened.
        await visit.ChangeOrderAsync("{ at: Date.now() - 25 * 3600_000 }");
        await visit.OrderButton.ClickAsync();
        await Expect(visit.Problem).ToContainTextAsync("Look at My orders first");
        await Expect(visit.OrderButton).ToBeDisabledAsync();
        await visit.Page.ReloadAsync();
        await Expect(visit.Problem).ToContainTextAsync("Look at My orders first");
        await Expect(visit.OrderButton).ToBeDisabledAsync();
        await ShouldKeepNoDetailsAsync(visit);
        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Change the cart" }).ClickAsync();
        await Expect(visit.OrderButton).ToBeEnabledAsync();
        await Expect(visit.Lines).ToHaveCountAsync(1);
        sent.ShouldBe(0);
        (await shop.OrdersAsync(buyer)).ShouldBe(1);
    }

    [Fact]
    public async Task An_order_to_a_process_that_hangs_can_be_repeated()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Brass lamp"), await shop.AddBuyerAsync());
        await using var visit = (await shop.VisitAsync("/sign-in?next=cart")).ExpectFailedResponses();
        // The test ends the time for which the page waits.
        await visit.Page.AddInitScriptAsync("""
            AbortSignal.timeout = () => {
                const limit = new AbortController();
                window.endTime = () => limit.abort(new DOMException('', 'TimeoutError'));
                return limit.signal;
            };
            """);
        await visit.Page.ReloadAsync();
        await visit.FillCartAsync(ware, buyer.Email);
        var arrived = new TaskCompletionSource();
        await visit.Page.RouteAsync("**/orders", Visit.Once(async route =>
        {
            (await route.FetchAsync()).Status.ShouldBe(201);
            arrived.SetResult();
        }));

        await visit.OrderAsync();
        await arrived.Task.WaitAsync(TimeSpan.FromSeconds(30));
        await visit.Page.EvaluateAsync("() => window.endTime()");
        await Expect(visit.Problem).ToContainTextAsync("it is not placed twice");
        await visit.OrderButton.ClickAsync();

        await Expect(visit.Purchases).ToHaveCountAsync(1);
        (await shop.OrdersAsync(buyer)).ShouldBe(1);
    }

    [Fact]
    public async Task The_page_says_that_the_order_may_exist_while_the_cart_can_be_changed()
    {
        var buyer = await shop.AddBuyerAsync();
        await using var visit = await OrderWithoutResponseAsync("Lantern pole", buyer.Email);
        await visit.Page.RouteAsync("**/orders", route => RefuseAsync(route, 429, "rate.exceeded"));
        await visit.OrderButton.ClickAsync();
        await Expect(visit.Problem.Locator("p")).ToContainTextAsync("You have too many pending orders");
        await Expect(visit.Lines).ToHaveCountAsync(1);
        await Expect(visit.Problem).ToContainTextAsync("look at My orders", new() { UseInnerText = true });
        await Expect(visit.Page.GetByText("Change the cart")).ToBeVisibleAsync();

        await visit.Page.RouteAsync("**/products/batch?*", route => route.AbortAsync());
        var compared = visit.EndOfRequestAsync("/products/batch");
        await visit.Page.ReloadAsync();
        await compared;
        await visit.SettleAsync();
        await Expect(visit.Problem.Locator("p")).ToContainTextAsync("it is not placed twice");
        await visit.Problem.GetByRole(AriaRole.Link, new() { Name = "My orders" }).ClickAsync();
        await Expect(visit.Purchases).ToHaveCountAsync(1);
    }

    [Fact]
    public async Task A_sign_out_removes_what_was_ordered_without_a_response_and_no_second_order_is_placed()
    {
        var buyer = await shop.AddBuyerAsync();
        await using var visit = await OrderWithoutResponseAsync("Rushlight", buyer.Email);
        (await CartTextAsync(visit.Page)).ShouldContain("1 Main Street");
        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Sign out" }).ClickAsync();
        await Expect(visit.Problem).ToContainTextAsync("Look at My orders first");
        await ShouldKeepNoDetailsAsync(visit);

        await visit.Page.GetByRole(AriaRole.Main).GetByRole(AriaRole.Link, new() { Name = "Sign in" }).ClickAsync();
        await visit.SignInAsync(buyer.Email);
        await Expect(visit.Problem).ToContainTextAsync("Look at My orders first");
        await Expect(visit.OrderButton).ToBeDisabledAsync();
        (await shop.OrdersAsync(buyer)).ShouldBe(1);
        await visit.Page.GetByRole(AriaRole.Button, new() { Name = "Change the cart" }).ClickAsync();
        await Expect(visit.OrderButton).ToBeEnabledAsync();
        await Expect(visit.Lines).ToHaveCountAsync(1);
    }

    [Fact]
    public async Task A_key_that_was_used_for_another_order_leads_to_the_own_orders()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Tealight"), await shop.AddBuyerAsync());
        await using var visit = (await shop.VisitAsync("/sign-in")).ExpectFailedResponses();
        await visit.FillCartAsync(ware, buyer.Email);
        await visit.Page.RouteAsync("**/orders", route => RefuseAsync(route, 422, "idempotency.key_reused"));
        await visit.OrderAsync();
        await Expect(visit.Problem).ToContainTextAsync("whether the last order arrived. Look at My orders first");
        await Expect(visit.OrderButton).ToBeDisabledAsync();
        await Expect(visit.Page.GetByLabel("Shipping address")).ToBeDisabledAsync();
        await visit.Page.ReloadAsync();
        await Expect(visit.Problem).ToContainTextAsync("Look at My orders first");
        await Expect(visit.OrderButton).ToBeDisabledAsync();
    }

    [Fact]
    public async Task A_second_tab_repeats_an_order_that_waits_for_its_lock()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Sparkler"), await shop.AddBuyerAsync());
        await using var visit = await shop.VisitAsync("/sign-in");
        await visit.FillCartAsync(ware, buyer.Email);
        var other = await OpenTabAsync(visit, buyer);
        await other.GetByLabel("Shipping address").FillAsync("2 Side Street");
        await visit.Page.EvaluateAsync("""
            () => {
                const request = navigator.locks.request.bind(navigator.locks);
                const release = new Promise(done => (window.release = done));
                navigator.locks.request = async (...values) => {
                    await release;
                    return request(...values);
                };
            }
            """);
        await visit.OrderAsync();
        await Eventually.Holds(
            async () => (await CartTextAsync(visit.Page)).Contains("1 Main Street", StringComparison.Ordinal),
            "the order is stored before its lock is held");
        await Expect(other.Locator("#cart .problem p")).ToContainTextAsync("it is not placed twice");
        await other.GetByText("Order", new() { Exact = true }).ClickAsync();
        await Expect(other.Locator("#purchases .purchase")).ToHaveCountAsync(1);

        await visit.Page.EvaluateAsync("() => window.release()");
        await Expect(visit.Purchases).ToHaveCountAsync(1);
        await Expect(visit.Purchases.First).ToContainTextAsync("1 Main Street");
        await Expect(visit.CartLink).ToHaveTextAsync("Cart");
        (await shop.OrdersAsync(buyer)).ShouldBe(1);
    }

    [Fact]
    public async Task A_refusal_that_arrives_in_another_view_is_announced_and_shown_in_the_cart()
    {
        const string Sentence = "There is not enough in stock. Nothing was ordered.";
        var (ware, buyer) = (await shop.AddWareAsync("Lampion"), await shop.AddBuyerAsync());
        await using var visit = (await shop.VisitAsync("/sign-in")).ExpectFailedResponses();
        await visit.FillCartAsync(ware, buyer.Email);
        var left = new TaskCompletionSource();
        await visit.Page.RouteAsync("**/orders", async route =>
        {
            await left.Task;
            await RefuseAsync(route, 409, "product.sold_out");
        });
        await visit.Page.RunAndWaitForRequestAsync(visit.OrderAsync, request => request.Method == "POST");
        await visit.Page.GetByRole(AriaRole.Link, new() { Name = "My orders" }).ClickAsync();
        await Expect(visit.Page.Locator("#purchases .status")).ToHaveTextAsync("No orders yet.");
        left.SetResult();
        await Expect(visit.Page.Locator(".top [role=status]")).ToHaveTextAsync(Sentence);

        await visit.CartLink.ClickAsync();
        await Expect(visit.Problem.Locator("p")).ToHaveTextAsync(Sentence);
        await Expect(visit.OrderButton).ToBeEnabledAsync();
        await Expect(visit.Lines).ToHaveCountAsync(1);
    }

    [Fact]
    public async Task An_order_that_is_placed_while_another_view_is_shown_is_announced_there()
    {
        var buyer = await shop.AddBuyerAsync();
        await using var late = await OrderWithLateResponseAsync("Glow", buyer.Email, isLost: false);
        var visit = late.Visit;
        await visit.Page.Locator(".top .brand").ClickAsync();
        await Expect(visit.Page).ToHaveURLAsync(shop.Shop.Queries.Url.ToString());
        late.Respond();
        await Expect(visit.Page.Locator(".top [role=status]"))
            .ToHaveTextAsync(new Regex("^Order [0-9]+ is placed\\.$"));
        await Expect(visit.CartLink).ToHaveTextAsync("Cart");
        await Expect(visit.Page).ToHaveURLAsync(shop.Shop.Queries.Url.ToString());

        await visit.Page.GetByRole(AriaRole.Link, new() { Name = "My orders" }).ClickAsync();
        await Expect(visit.Page.Locator(".placed")).ToContainTextAsync("is placed.");
        await Expect(visit.Purchases).ToHaveCountAsync(1);
    }

    [Fact]
    public async Task Another_tab_waits_for_an_order_that_runs()
    {
        var buyer = await shop.AddBuyerAsync();
        await using var visit = await OrderWithLateResponseAsync("Ember", buyer.Email, isLost: false);
        var other = await OpenTabAsync(visit.Visit);
        await Expect(other.Locator("#cart .problem p")).ToContainTextAsync("The order is being placed.");
        await Expect(other.GetByText("Change the cart")).ToBeHiddenAsync();
        await Expect(other.GetByText("Order", new() { Exact = true })).ToBeDisabledAsync();

        visit.Respond();
        await ShouldHaveOrderedOnceAsync(visit.Visit, other);
        (await shop.OrdersAsync(buyer)).ShouldBe(1);
    }

    [Fact]
    public async Task An_order_whose_response_was_lost_is_kept_while_another_customer_looks_at_the_cart()
    {
        var (buyer, another) = (await shop.AddBuyerAsync(), await shop.AddBuyerAsync());
        await using var visit = await OrderWithLateResponseAsync("Flare", buyer.Email, isLost: true);
        var other = await OpenTabAsync(visit.Visit, another);
        visit.Respond();
        await Expect(visit.Visit.Problem).ToContainTextAsync("it is not placed twice");
        await Expect(other.Locator("#cart .problem p")).ToContainTextAsync("the order of another customer");
        await Expect(other.GetByText("Order", new() { Exact = true })).ToBeDisabledAsync();

        await visit.Visit.OrderButton.ClickAsync();
        await ShouldHaveOrderedOnceAsync(visit.Visit, other);
        (await shop.OrdersAsync(buyer)).ShouldBe(1);
    }

    [Fact]
    public async Task An_order_that_was_given_up_before_its_response_leaves_the_cart_nevertheless()
    {
        var buyer = await shop.AddBuyerAsync();
        await using var visit = await OrderWithLateResponseAsync("Spark", buyer.Email, isLost: false);
        await visit.Visit.Page.EvaluateAsync("""
            () => {
                const { lines } = JSON.parse(localStorage.getItem('apexshop.cart'));
                localStorage.setItem('apexshop.cart', JSON.stringify({ lines }));
            }
            """);
        visit.Respond();
        await Expect(visit.Visit.Purchases).ToHaveCountAsync(1);
        await Expect(visit.Visit.CartLink).ToHaveTextAsync("Cart");
    }

    [Fact]
    public async Task A_changed_price_and_a_short_stock_are_said_before_the_order()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Torch"), await shop.AddBuyerAsync());
        await using var visit = await shop.VisitAsync(ware.Path);
        await visit.AddAsync();
        await shop.ChangeAsync(ware, new() { ["price"] = 15.25m }, product => product.Price == 15.25m);
        await shop.SetStockAsync(ware, 2);
        await visit.CartLink.ClickAsync();
        var note = visit.Lines.First.Locator(".note");
        await Expect(note).ToHaveTextAsync("The price was $12.50 and is now $15.25.");
        await Expect(visit.Total).ToHaveTextAsync("$15.25");
        await visit.Page.GetByLabel("Quantity").FillAsync("3");
        await visit.Page.GetByRole(AriaRole.Main).GetByRole(AriaRole.Link, new() { Name = "Sign in" }).ClickAsync();
        await visit.SignInAsync(buyer.Email);
        await Expect(note).ToHaveTextAsync("Only 2 left.");

        await visit.OrderAsync();
        await Expect(visit.Problem).ToContainTextAsync("The cart has changed. Look at it, then order again.");
        (await shop.OrdersAsync(buyer)).ShouldBe(0);
        await visit.Page.GetByLabel("Quantity").FillAsync("2");
        await visit.OrderAsync();
        await Expect(visit.Purchases.First).ToContainTextAsync("2 \u00d7 Torch, $30.50");
    }

    [Fact]
    public async Task The_name_of_the_shop_shows_the_products_of_now()
    {
        var ware = await shop.AddWareAsync("Nightlight");
        await using var visit = await shop.VisitAsync();
        var stock = visit.Cards.Filter(new() { HasText = ware.Name }).Locator(".stock");
        await Expect(stock).ToHaveTextAsync("In stock");
        await shop.SetStockAsync(ware, 2);
        await Eventually.Holds(
            async () =>
            {
                await visit.Page.Locator(".top .brand").ClickAsync();
                await Expect(visit.Page.Locator("#products .grid")).ToHaveAttributeAsync("aria-busy", "false");
                return await stock.TextContentAsync() == "Only 2 left";
            },
            "the list has the new stock");
    }

    [Fact]
    public async Task A_changed_currency_is_said_like_a_changed_price()
    {
        var ware = await shop.AddWareAsync("Brazier");
        await using var visit = await shop.VisitAsync(ware.Path);
        await visit.AddAsync();
        await visit.Page.EvaluateAsync("""
            () => {
                const { lines: [line] } = JSON.parse(localStorage.getItem('apexshop.cart'));
                localStorage.setItem('apexshop.cart', JSON.stringify({ lines: [{ ...line, currency: 'EUR' }] }));
            }
            """);
        await visit.CartLink.ClickAsync();
        await Expect(visit.Lines.First.Locator(".note"))
            .ToHaveTextAsync("The price was \u20AC12.50 and is now $12.50.");
        await Expect(visit.Total).ToHaveTextAsync("$12.50");
    }

    [Fact]
    public async Task An_order_whose_response_was_lost_is_placed_once_although_a_proxy_refused_it_meanwhile()
    {
        var buyer = await shop.AddBuyerAsync();
        await using var visit = await OrderWithoutResponseAsync("Candle", buyer.Email);
        foreach (var refuse in (Func<IRoute, Task>[])
            [Visit.RefuseAsProxyAsync, route => RefuseAsync(route, 403, "Forbidden")])
        {
            await visit.Page.RouteAsync("**/orders", Visit.Once(refuse));
            var refused = visit.EndOfRequestAsync("/orders");
            await visit.OrderButton.ClickAsync();
            await refused;
            await Expect(visit.OrderButton).ToBeEnabledAsync();
            await Expect(visit.Problem).ToContainTextAsync("it is not placed twice");
        }

        await visit.OrderButton.ClickAsync();
        await Expect(visit.Purchases).ToHaveCountAsync(1);
        (await shop.OrdersAsync(buyer)).ShouldBe(1);
    }

    [Theory]
    [InlineData(409, "product.sold_out", "There is not enough in stock. Nothing was ordered.")]
    [InlineData(403, "access.customer_inactive", "This account is closed. Nothing was ordered.")]
    [InlineData(
        503, "database.unavailable",
        "It is not known whether the last order arrived. Press Order again: it is not placed twice.")]
    public async Task A_refused_order_is_a_sentence_and_stays_in_the_cart(int status, string code, string sentence)
    {
        var (ware, buyer) = (await shop.AddWareAsync("Bulb"), await shop.AddBuyerAsync());
        await using var visit = (await shop.VisitAsync("/sign-in")).ExpectFailedResponses();
        await visit.FillCartAsync(ware, buyer.Email);
        await visit.Page.RouteAsync("**/orders", route => RefuseAsync(route, status, code));
        await visit.OrderAsync();

        await Expect(visit.Problem.Locator("p")).ToHaveTextAsync(sentence);
        await Expect(visit.Lines).ToHaveCountAsync(1);
        await Expect(visit.OrderButton).ToBeFocusedAsync();
        // A server's error may have come after the commit, so the order can only be repeated as it was.
        if (status == 503) await Expect(visit.Page.GetByLabel("Shipping address")).ToBeDisabledAsync();
        else await Expect(visit.Page.GetByLabel("Shipping address")).ToBeEnabledAsync();
    }

    [Theory]
    [InlineData(2, true)]
    [InlineData(100, false)]
    public async Task An_order_that_its_list_has_late_is_waited_for_five_times_at_most(int refusals, bool isAwaited)
    {
        var (ware, buyer) = (await shop.AddWareAsync("Fuse"), await shop.AddBuyerAsync());
        await using var visit = (await shop.VisitAsync("/sign-in")).ExpectFailedResponses();
        await visit.FillCartAsync(ware, buyer.Email);
        var tokens = new ConcurrentQueue<string?>();
        await visit.Page.RouteAsync("**/orders/cursor*", async route =>
        {
            tokens.Enqueue(await route.Request.HeaderValueAsync("consistency-token"));
            if (tokens.Last() is not null && tokens.Count <= refusals)
                await RefuseAsync(route, 503, "consistency.not_reached");
            else await route.ContinueAsync();
        });
        await visit.OrderAsync();

        await Expect(visit.Page.Locator(".placed")).ToContainTextAsync("is placed.");
        await Expect(visit.Purchases).ToHaveCountAsync(1);
        (tokens.Last() is not null).ShouldBe(isAwaited);
        tokens.Count.ShouldBe(isAwaited ? refusals + 1 : 6);
        (await shop.OrdersAsync(buyer)).ShouldBe(1);
    }

    [Fact]
    public async Task A_sign_in_that_has_ended_is_said_and_the_order_can_be_placed_after_another()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Wick"), await shop.AddBuyerAsync());
        await using var visit = (await shop.VisitAsync("/sign-in")).ExpectFailedResponses();
        await visit.SignInAsync(buyer.Email);
        await visit.GoAsync(ware.Path);
        await visit.AddAsync();
        await visit.ChangeSignInAsync("{ token: 'customer_ended' }");
        await visit.CartLink.ClickAsync();
        await visit.OrderAsync();
        await Expect(visit.Problem).ToContainTextAsync("Your sign-in has ended. Sign in again.");

        await visit.Page.GetByRole(AriaRole.Main).GetByRole(AriaRole.Link, new() { Name = "Sign in" }).ClickAsync();
        await visit.SignInAsync(buyer.Email);
        await visit.OrderButton.ClickAsync();
        await Expect(visit.Purchases).ToHaveCountAsync(1);
        (await shop.OrdersAsync(buyer)).ShouldBe(1);
    }

    [Fact]
    public async Task A_sign_in_that_has_expired_while_the_cart_is_shown_is_said_in_words()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Match"), await shop.AddBuyerAsync());
        await using var visit = await shop.VisitAsync("/sign-in");
        await visit.FillCartAsync(ware, buyer.Email);
        await Expect(visit.OrderButton).ToBeEnabledAsync();
        await visit.ChangeSignInAsync("{ expiresAt: '2020-01-01T00:00:00Z' }");
        await visit.OrderAsync();
        await Expect(visit.Problem.Locator("p")).ToHaveTextAsync("Your sign-in has ended. Sign in again.");

        await visit.Page.GetByRole(AriaRole.Main).GetByRole(AriaRole.Link, new() { Name = "Sign in" }).ClickAsync();
        await visit.SignInAsync(buyer.Email);
        await visit.OrderAsync();
        await Expect(visit.Purchases).ToHaveCountAsync(1);
        (await shop.OrdersAsync(buyer)).ShouldBe(1);
    }

    [Fact]
    public async Task A_line_of_the_cart_leads_to_a_product_whose_slug_was_changed()
    {
        var ware = await shop.AddWareAsync("Sconce");
        await using var visit = await shop.VisitAsync(ware.Path);
        await visit.AddAsync();
        var slug = $"{ware.Slug}-renamed";
        await shop.ChangeAsync(ware, new() { ["slug"] = slug }, product => product.Slug == slug);
        await visit.CartLink.ClickAsync();
        var link = visit.Lines.First.GetByRole(AriaRole.Link);
        await Expect(link).ToHaveAttributeAsync("href", $"/p/{slug}");
        await link.ClickAsync();
        await Expect(visit.Title).ToHaveTextAsync(ware.Name);
    }

    [Fact]
    public async Task Everything_can_be_bought_with_the_keyboard()
    {
        var (ware, buyer) = (await shop.AddWareAsync("Chandelier"), await shop.AddBuyerAsync());
        await using var visit = await shop.VisitAsync(ware.Path);
        await Expect(visit.Title).ToBeFocusedAsync();
        await visit.TabToAsync("Add to cart: Chandelier");
        await visit.PressAsync("Enter");
        await Expect(visit.CartLink).ToHaveTextAsync("Cart (1)");
        await visit.TabToAsync("Cart (1)", back: true);
        await visit.PressAsync("Enter");
        await Expect(visit.Page.Locator("#cart-title")).ToBeFocusedAsync();
        await visit.TabToAsync("Sign in");
        await visit.PressAsync("Enter");
        await visit.Page.Keyboard.TypeAsync(buyer.Email);
        await visit.PressAsync("Tab");
        await visit.Page.Keyboard.TypeAsync(SellingShop.Password);
        await visit.PressAsync("Enter");
        await Expect(visit.Page.Locator("#cart-title")).ToBeFocusedAsync();
        await visit.TabToAsync("Quantity: Chandelier");
        await visit.PressAsync("ArrowUp");
        await visit.TabToAsync("Shipping address");
        await visit.Page.Keyboard.TypeAsync("1 Main Street");
        await visit.TabToAsync("Order");
        await visit.PressAsync("Enter");

        await Expect(visit.Purchases.First).ToContainTextAsync("2 \u00d7 Chandelier");
        await Expect(visit.Page.Locator("#purchases-title")).ToBeFocusedAsync();
    }

    private static Task RefuseAsync(IRoute route, int status, string code) => route.FulfillAsync(new()
    {
        Status = status,
        ContentType = "application/problem+json",
        Headers = new Dictionary<string, string> { ["Access-Control-Allow-Origin"] = "*" },
        Body = $$"""{"status":{{status}},"code":"{{code}}","detail":"of NpgsqlException"}""",
    });

    // The tab that ordered shows the order, and both carts are empty.
    private static async Task ShouldHaveOrderedOnceAsync(Visit visit, IPage other)
    {
        await Expect(visit.Purchases).ToHaveCountAsync(1);
        await Expect(visit.CartLink).ToHaveTextAsync("Cart");
        await Expect(other.Locator("#cart .status")).ToHaveTextAsync("The cart is empty.");
        await Expect(other.Locator("#cart .problem")).ToBeHiddenAsync();
    }

    private static Task<string> CartTextAsync(IPage page) =>
        page.EvaluateAsync<string>("() => localStorage.getItem('apexshop.cart')");

    // Of the order without a response, not of the cart.
    private static async Task ShouldKeepNoDetailsAsync(Visit visit)
    {
        var text = await CartTextAsync(visit.Page);
        text.ShouldContain("userId");
        foreach (var word in (string[])["1 Main Street", "shippingAddress", "productId"]) text.ShouldNotContain(word);
    }

    // The cart in another tab, which has a sign-in of its own.
    private async Task<IPage> OpenTabAsync(Visit first, Buyer? buyer = null)
    {
        var page = await first.Page.Context.NewPageAsync();
        await page.GotoAsync(new Uri(shop.Shop.Queries.Url, buyer is null ? "/cart" : "/sign-in?next=cart").ToString());
        if (buyer is null) return page;
        await page.GetByLabel("E-mail").FillAsync(buyer.Email);
        await page.GetByLabel("Password").FillAsync(SellingShop.Password);
        await page.GetByLabel("Password").PressAsync("Enter");
        await Expect(page.Locator("#cart-title")).ToBeVisibleAsync();
        return page;
    }

    // The order arrives, and its response waits.
    private async Task<LateResponse> OrderWithLateResponseAsync(string name, string email, bool isLost)
    {
        var ware = await shop.AddWareAsync(name);
        var late = new LateResponse((await shop.VisitAsync("/sign-in?next=cart")).ExpectFailedResponses());
        await late.Visit.FillCartAsync(ware, email);
        var arrived = new TaskCompletionSource();
        await late.Visit.Page.RouteAsync("**/orders", Visit.Once(async route =>
        {
            var response = await route.FetchAsync();
            arrived.SetResult();
            await late.Response;
            if (isLost) await route.AbortAsync();
            else await route.FulfillAsync(new() { Response = response });
        }));
        await late.Visit.OrderAsync();
        await arrived.Task.WaitAsync(TimeSpan.FromSeconds(30));
        return late;
    }

    private sealed record LateResponse(Visit Visit) : IAsyncDisposable
    {
        private readonly TaskCompletionSource response = new();

        public Task Response => response.Task;

        public void Respond() => response.TrySetResult();

        public ValueTask DisposeAsync() => Visit.DisposeAsync();
    }

    // The order arrives, its response does not.
    private async Task<Visit> OrderWithoutResponseAsync(string name, string email)
    {
        var ware = await shop.AddWareAsync(name);
        var visit = (await shop.VisitAsync("/sign-in?next=cart")).ExpectFailedResponses();
        await visit.FillCartAsync(ware, email);
        await visit.Page.RouteAsync("**/orders", async route =>
        {
            (await route.FetchAsync()).Status.ShouldBe(201);
            await route.AbortAsync();
        });
        await visit.OrderAsync();
        await Expect(visit.Problem).ToContainTextAsync("it is not placed twice");
        await visit.Page.UnrouteAllAsync();
        return visit;
    }
}
