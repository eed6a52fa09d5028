using System.Net;

namespace ApexShop.Commands.Api.Tests.Orders;

public sealed class CreateOrderTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Uses_current_prices_and_reserves_stock_in_one_commit()
    {
        var (lamp, torch) =
            (await app.ProductAsync(stock: 5, price: 12.5m), await app.ProductAsync(stock: 3, price: 0.99m));

        var answer =
            await app.PostAsync("/orders", ShopBuilder.OrderBody(await app.UserAsync(), (torch, 3), (lamp, 2)));

        answer.ShouldBeCreated("orders");
        var state = await app.ShouldHaveSaidAsync("orders", answer.Id, "apexshop.order.placed", 1);
        state.GetProperty("status").GetString().ShouldBe("Pending");
        state.GetProperty("totalAmount").GetRawText().ShouldBe("27.97");
        state.GetProperty("items")
            .EnumerateArray()
            .Select(item => item.GetProperty("productId").GetInt32())
            .ShouldBe([lamp, torch]);
        state.GetProperty("items")[0].GetProperty("unitPrice").GetRawText().ShouldBe("12.50");
        (await app.ShouldHaveSaidAsync("products", lamp, "apexshop.product.stock-changed", 2))
            .GetProperty("stock")
            .GetInt32()
            .ShouldBe(3);
        (await app.ShouldHaveSaidAsync("products", torch, "apexshop.product.stock-changed", 2))
            .GetProperty("stock")
            .GetInt32()
            .ShouldBe(0);
    }

    [Fact]
    public async Task A_later_price_changes_no_order()
    {
        var productId = await app.ProductAsync(price: 10);
        var orderId = await app.OrderAsync((productId, 1));

        await app.PutAsync($"/products/{productId}", ShopBuilder.ReplacementBody(await app.CategoryAsync(), price: 99));

        (await app.ScalarAsync<decimal>($"SELECT unit_price FROM shop.order_items WHERE order_id = {orderId}"))
            .ShouldBe(10);
    }

    [Fact]
    public async Task A_later_name_changes_no_order()
    {
        var productId = await app.ProductAsync(name: "Lamp");
        var orderId = await app.OrderAsync((productId, 1));

        await app.PutAsync($"/products/{productId}", ShopBuilder.ProductBody(await app.CategoryAsync(), name: "Torch"));
        await app.MoveOrderAsync(orderId, "Processing");

        (await app.ShouldHaveSaidAsync("orders", orderId, "apexshop.order.status-changed", 2))
            .GetProperty("items")[0]
            .GetProperty("productName")
            .GetString()
            .ShouldBe("Lamp");
    }

    [Fact]
    public async Task Items_of_the_same_product_become_one_line()
    {
        var productId = await app.ProductAsync(stock: 5);

        var orderId = await app.OrderAsync((productId, 2), (productId, 3));

        (await app.ScalarAsync<int>($"SELECT quantity FROM shop.order_items WHERE order_id = {orderId}")).ShouldBe(5);
        (await app.StockAsync(productId)).ShouldBe(0);
        var (user, other) = (await app.UserAsync(), await app.ProductAsync(stock: 4));
        var tooMany = ShopBuilder.OrderBody(user, (other, 2), (productId, int.MaxValue), (productId, int.MaxValue));
        (await app.PostAsync("/orders", tooMany)).ShouldBeProblem(HttpStatusCode.Conflict, "product.sold_out");
    }

    [Fact]
    public async Task Sold_out_names_the_product_and_reserves_nothing()
    {
        var plenty = await app.ProductAsync(stock: 100);
        var scarce = await app.ProductAsync(stock: 1, name: "Rare lamp");

        var answer =
            await app.PostAsync("/orders", ShopBuilder.OrderBody(await app.UserAsync(), (plenty, 1), (scarce, 2)));

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "product.sold_out");
        answer.Body.GetProperty("detail").GetString()!.ShouldContain("Rare lamp");
        var named = answer.Body.GetProperty("products").EnumerateArray().ShouldHaveSingleItem();
        named.GetProperty("id").GetInt32().ShouldBe(scarce);
        named.GetProperty("stock").GetInt32().ShouldBe(1);
        (await app.StockAsync(plenty)).ShouldBe(100);
        (await app.VersionAsync("products", plenty)).ShouldBe(1);
        (await app.OutboxAsync("products", plenty)).Count.ShouldBe(1);
    }

    [Fact]
    public async Task Refuses_products_and_users_that_do_not_exist_and_products_not_for_sale()
    {
        var (productId, inactive) = (await app.ProductAsync(), await app.ProductAsync(isActive: false));
        var userId = await app.UserAsync();

        (await app.PostAsync("/orders", ShopBuilder.OrderBody(userId, (productId, 1), (int.MaxValue, 1))))
            .ShouldBeProblem(HttpStatusCode.Conflict, "product.unknown");
        (await app.PostAsync("/orders", ShopBuilder.OrderBody(userId, (productId, 1), (inactive, 1))))
            .ShouldBeProblem(HttpStatusCode.Conflict, "product.inactive");
        (await app.PostAsync("/orders", ShopBuilder.OrderBody(int.MaxValue, (productId, 1))))
            .ShouldBeProblem(HttpStatusCode.Conflict, "order.user_unknown");
        (await app.StockAsync(productId)).ShouldBe(10);
        (await app.OutboxAsync("products", productId)).Count.ShouldBe(1);
    }

    [Fact]
    public async Task An_order_that_is_refused_for_one_product_writes_no_event_of_the_others()
    {
        // A number that a row had stays used after a rollback.
        const string numbers =
            "SELECT pg_sequence_last_value(pg_get_serial_sequence('shop.outbox', 'id')::regclass)";
        var (productId, userId) = (await app.ProductAsync(), await app.UserAsync());
        var (soldOut, inactive) = (await app.ProductAsync(stock: 1), await app.ProductAsync(isActive: false));
        var before = await app.ScalarAsync<long>(numbers);

        foreach (var refused in (int[])[soldOut, inactive, int.MaxValue])
        {
            (await app.PostAsync("/orders", ShopBuilder.OrderBody(userId, (productId, 1), (refused, 2))))
                .Status.ShouldBe(HttpStatusCode.Conflict);
        }

        (await app.ScalarAsync<long>(numbers)).ShouldBe(before);
    }

    [Fact]
    public async Task An_inactive_user_is_refused_and_the_stock_is_unchanged()
    {
        var (productId, userId) = (await app.ProductAsync(), await app.UserAsync());
        await app.PutAsync(
            $"/users/{userId}", new { email = "off@example.com", firstName = "A", lastName = "B", isActive = false });

        (await app.PostAsync("/orders", ShopBuilder.OrderBody(userId, (productId, 1))))
            .ShouldBeProblem(HttpStatusCode.Conflict, "order.user_inactive");

        (await app.StockAsync(productId)).ShouldBe(10);
    }

    [Fact]
    public async Task Accepts_up_to_a_hundred_items_and_no_more()
    {
        var (first, userId) = (await app.ManyProductsAsync(await app.CategoryAsync(), 101), await app.UserAsync());
        var items = Enumerable.Range(first, 101).Select(id => (id, 1)).ToArray();

        var answer = await app.PostAsync("/orders", ShopBuilder.OrderBody(userId, items));
        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Body.GetProperty("errors").TryGetProperty("items", out _).ShouldBeTrue();

        (await app.PostAsync("/orders", ShopBuilder.OrderBody(userId, items[1..])))
            .Status.ShouldBe(HttpStatusCode.Created);
        (await app.CountAsync("products", $"id > {first} AND id <= {first + 100} AND stock = 9")).ShouldBe(100);
        (await app.StockAsync(first)).ShouldBe(10);
    }

    [Fact]
    public async Task A_total_that_is_too_large_is_refused()
    {
        var productId = await app.ProductAsync(stock: 10, price: 9_999_999_999_999_999.99m);

        (await app.PostAsync("/orders", ShopBuilder.OrderBody(await app.UserAsync(), (productId, 2))))
            .ShouldBeProblem(HttpStatusCode.Conflict, "order.total_too_large");
        (await app.StockAsync(productId)).ShouldBe(10);
    }

    [Fact]
    public async Task Sixty_four_concurrent_customers_buy_exactly_the_stock()
    {
        var productId = await app.ProductAsync(stock: 10);
        var userId = await app.UserAsync();

        var answers = await Task.WhenAll(
            Enumerable.Range(0, 64)
                .Select(_ => app.PostAsync("/orders", ShopBuilder.OrderBody(userId, (productId, 1)))));

        answers.Count(answer => answer.Status == HttpStatusCode.Created).ShouldBe(10);
        answers.Count(answer => answer.Status == HttpStatusCode.Conflict && answer.Code == "product.sold_out")
            .ShouldBe(54);
        (await app.StockAsync(productId)).ShouldBe(0);
        (await app.OutboxAsync("products", productId))
            .Select(said => said.Version)
            .ShouldBe(Enumerable.Range(1, 11).Select(v => (long)v));
    }

    [Fact]
    public async Task Orders_of_the_same_products_in_opposite_order_do_not_deadlock()
    {
        var (a, b, userId) =
            (await app.ProductAsync(stock: 1000), await app.ProductAsync(stock: 1000), await app.UserAsync());

        var answers = await Task.WhenAll(Enumerable.Range(0, 64).Select(i => app.PostAsync(
            "/orders",
            i % 2 == 0
                ? ShopBuilder.OrderBody(userId, (a, 1), (b, 1))
                : ShopBuilder.OrderBody(userId, (b, 1), (a, 1)))));

        answers.ShouldAllBe(answer => answer.Status == HttpStatusCode.Created);
        (await app.StockAsync(a)).ShouldBe(936);
        (await app.StockAsync(b)).ShouldBe(936);
    }
}
