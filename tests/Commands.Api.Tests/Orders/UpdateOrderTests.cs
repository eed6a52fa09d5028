using System.Net;
using System.Net.Http.Json;
using System.Text.Json;

namespace ApexShop.Commands.Api.Tests.Orders;

public sealed class UpdateOrderTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private static readonly string[] statuses = ["Pending", "Processing", "Shipped", "Delivered", "Cancelled"];

    [Fact]
    public async Task From_Pending_to_Delivered_the_dates_are_set()
    {
        var id = await app.OrderAsync((await app.ProductAsync(), 1));

        (await app.PutAsync($"/orders/{id}", ShopBuilder.StatusBody("Processing"))).ShouldBeReplaced(id, 2);
        var body = new { status = "Shipped", shippingAddress = "Here", trackingNumber = "T-1" };
        (await app.PutAsync($"/orders/{id}", body, "\"2\"")).ShouldBeReplaced(id, 3);
        var shipped = await app.ShouldHaveSaidAsync("orders", id, "apexshop.order.status-changed", 3);
        (await app.PutAsync($"/orders/{id}", ShopBuilder.StatusBody("Delivered"))).ShouldBeReplaced(id, 4);
        var delivered = await app.ShouldHaveSaidAsync("orders", id, "apexshop.order.status-changed", 4);

        shipped.GetProperty("trackingNumber").GetString().ShouldBe("T-1");
        shipped.GetProperty("shippedDate").ValueKind.ShouldBe(JsonValueKind.String);
        shipped.GetProperty("deliveredDate").ValueKind.ShouldBe(JsonValueKind.Null);
        delivered.GetProperty("shippedDate").GetString().ShouldBe(shipped.GetProperty("shippedDate").GetString());
        delivered.GetProperty("deliveredDate").ValueKind.ShouldBe(JsonValueKind.String);
        delivered.GetProperty("items").GetRawText().ShouldBe(shipped.GetProperty("items").GetRawText());
    }

    [Fact]
    public async Task A_change_that_keeps_the_status_is_an_update()
    {
        var id = await app.OrderAsync((await app.ProductAsync(), 1));

        (await app.PutAsync($"/orders/{id}", new { status = "Pending", shippingAddress = "Elsewhere" }))
            .ShouldBeReplaced(id, 2);

        var state = await app.ShouldHaveSaidAsync("orders", id, "apexshop.order.updated", 2);
        state.GetProperty("shippingAddress").GetString().ShouldBe("Elsewhere");
    }

    [Theory]
    [InlineData("Pending", "Processing Cancelled")]
    [InlineData("Processing", "Shipped Cancelled")]
    [InlineData("Shipped", "Delivered")]
    [InlineData("Delivered", "")]
    [InlineData("Cancelled", "")]
    public async Task Refuses_every_step_that_the_status_does_not_allow(string from, string allowed)
    {
        foreach (var to in statuses.Except([from, .. allowed.Split(' ')]))
        {
            var id = await OrderThatIsAsync(from);
            var version = await app.VersionAsync("orders", id);

            (await app.PutAsync($"/orders/{id}", ShopBuilder.StatusBody(to)))
                .ShouldBeProblem(HttpStatusCode.Conflict, "order.status_refused");

            (await app.VersionAsync("orders", id)).ShouldBe(version);
        }
    }

    [Fact]
    public async Task Each_status_change_is_kept_with_its_time_and_the_kind_of_its_actor()
    {
        var (user, product) = (await app.UserAsync(), await app.ProductAsync());
        using var customer = await app.CustomerAsync(user);
        var placed = await customer.PostAsJsonAsync("/orders", ShopBuilder.OrderBody(user, (product, 1)));
        var id = (await Answer.ReadAsync(placed)).Id;
        await app.MoveOrderAsync(id, "Processing", "Processing");
        using var warehouse = app.ClientWith("orders:write");

        await warehouse.PutAsJsonAsync($"/orders/{id}", ShopBuilder.StatusBody("Shipped"));

        var state = await app.ShouldHaveSaidAsync("orders", id, "apexshop.order.status-changed", 3);
        var changes = state.GetProperty("statusHistory").EnumerateArray().ToList();
        changes.Select(change => $"{change.GetProperty("status")} {change.GetProperty("actor")}").ShouldBe(
            ["Pending customer", "Processing staff", "Shipped staff"]);
        (await app.ScalarAsync<string>(
            $"SELECT string_agg(actor, ' ' ORDER BY id) FROM shop.outbox WHERE resource = 'orders' "
            + $"AND aggregate_id = {id}")).ShouldBe($"users/{user} {CommandsApp.Key} orders:write");
        var times = changes.ConvertAll(change => change.GetProperty("time").GetDateTimeOffset());
        times.ShouldBeInOrder();
        times[0].ShouldBe(state.GetProperty("orderDate").GetDateTimeOffset());
        times[2].ShouldBe(state.GetProperty("shippedDate").GetDateTimeOffset());
    }

    [Theory]
    [InlineData("Delivered")]
    [InlineData("Cancelled")]
    public async Task A_closed_order_takes_no_other_address_or_tracking_number(string status)
    {
        var id = await OrderThatIsAsync(status);
        var version = await app.VersionAsync("orders", id);

        (await app.PutAsync($"/orders/{id}", new { status, shippingAddress = "Elsewhere" }))
            .ShouldBeProblem(HttpStatusCode.Conflict, "order.closed");
        var tracked = new { status, shippingAddress = "1 Analytical Street", trackingNumber = "T-2" };
        (await app.PutAsync($"/orders/{id}", tracked)).ShouldBeProblem(HttpStatusCode.Conflict, "order.closed");
        (await app.PutAsync($"/orders/{id}", ShopBuilder.StatusBody(status))).ShouldBeReplaced(id, version);

        (await app.VersionAsync("orders", id)).ShouldBe(version);
        (await app.OutboxAsync("orders", id)).Count.ShouldBe((int)version);
    }

    [Theory]
    [InlineData("Pending")]
    [InlineData("Processing")]
    public async Task A_cancellation_returns_the_items_to_stock(string from)
    {
        var (a, b) = (await app.ProductAsync(stock: 5), await app.ProductAsync(stock: 5));
        var id = await app.OrderAsync((a, 2), (b, 5));
        if (from != "Pending") await app.MoveOrderAsync(id, from);

        await app.MoveOrderAsync(id, "Cancelled");

        (await app.ShouldHaveSaidAsync("products", a, "apexshop.product.stock-changed", 3))
            .GetProperty("stock")
            .GetInt32()
            .ShouldBe(5);
        (await app.ShouldHaveSaidAsync("products", b, "apexshop.product.stock-changed", 3))
            .GetProperty("stock")
            .GetInt32()
            .ShouldBe(5);
        (await app.PutAsync($"/orders/{id}", ShopBuilder.StatusBody("Cancelled"))).Status.ShouldBe(HttpStatusCode.OK);
        (await app.StockAsync(a)).ShouldBe(5);
    }

    [Fact]
    public async Task Two_concurrent_cancellations_return_the_items_once()
    {
        var productId = await app.ProductAsync(stock: 5);
        var id = await app.OrderAsync((productId, 5));

        await Task.WhenAll(
            Enumerable.Range(0, 8).Select(_ => app.PutAsync($"/orders/{id}", ShopBuilder.StatusBody("Cancelled"))));

        (await app.StockAsync(productId)).ShouldBe(5);
    }

    [Fact]
    public async Task The_largest_stock_does_not_prevent_a_cancellation_and_does_not_change()
    {
        var productId = await app.ProductAsync(stock: 5);
        var id = await app.OrderAsync((productId, 5));
        await app.PatchStockAsync(productId, new { stock = int.MaxValue });

        await app.MoveOrderAsync(id, "Cancelled");

        (await app.StockAsync(productId)).ShouldBe(int.MaxValue);
        (await app.VersionAsync("products", productId)).ShouldBe(3);
        (await app.OutboxAsync("products", productId)).Count.ShouldBe(3);
    }

    [Fact]
    public async Task Refuses_what_is_not_there_or_has_another_version()
    {
        (await app.PutAsync("/orders/2147483647", ShopBuilder.StatusBody("Pending")))
            .ShouldBeProblem(HttpStatusCode.NotFound, "order.not_found");
        var pending = await OrderThatIsAsync("Pending");
        (await app.PutAsync($"/orders/{pending}", ShopBuilder.StatusBody("Processing"), "\"2\""))
            .ShouldBeProblem(HttpStatusCode.PreconditionFailed, "version.mismatch");
    }

    private async Task<int> OrderThatIsAsync(string status)
    {
        var id = await app.OrderAsync((await app.ProductAsync(), 1));
        await app.MoveOrderAsync(
            id, status == "Cancelled" ? ["Cancelled"] : statuses[1..(Array.IndexOf(statuses, status) + 1)]);
        return id;
    }
}
