using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using ApexShop.Commands.Api.Tests.Concurrency;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Orders;

/// <summary>Orders that are Pending after their time, with two processes that cancel them.</summary>
public sealed class ExpiredOrderTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const string Past = "now() - interval '1 second'";

    [Fact]
    public async Task An_order_gets_an_hour_and_another_number_of_minutes_if_it_is_set()
    {
        var productId = await app.ProductAsync();

        (await MinutesAsync(await app.OrderAsync((productId, 1)))).ShouldBe(60);

        (await MinutesAsync(await OrderElsewhereAsync(productId, "5"))).ShouldBe(5);
        (await MinutesAsync(await OrderElsewhereAsync(productId, "0"))).ShouldBeNull();
    }

    [Fact]
    public async Task An_expired_order_is_cancelled_and_its_items_return_to_stock_in_one_commit()
    {
        var (lamp, torch) = (await app.ProductAsync(stock: 5), await app.ProductAsync(stock: 5));
        var (expired, recent) = (await app.OrderAsync((lamp, 2), (torch, 5)), await app.OrderAsync((lamp, 1)));
        await ExpireAsync($"id = {expired}");

        await using var process = Process();
        await EventuallyNoneIsExpiredAsync();

        var state = await app.ShouldHaveSaidAsync("orders", expired, "apexshop.order.status-changed", 2);
        state.GetProperty("status").GetString().ShouldBe("Cancelled");
        Changes(state).ShouldBe([("Pending", "staff"), ("Cancelled", "system")]);
        (await app.ShouldHaveSaidAsync("products", torch, "apexshop.product.stock-changed", 3))
            .GetProperty("stock")
            .GetInt32()
            .ShouldBe(5);
        (await app.StockAsync(lamp)).ShouldBe(4);
        (await app.ScalarAsync<bool>(
            $"""
            SELECT count(DISTINCT xmin::text) = 1 AND count(*) = 3 FROM shop.outbox
            WHERE actor = 'apexshop' AND (resource, aggregate_id) IN
                (('orders', {expired}), ('products', {lamp}), ('products', {torch}))
            """)).ShouldBeTrue();
        (await app.VersionAsync("orders", recent)).ShouldBe(1);
    }

    /// <summary>The release before this one changes the status and knows no deadline.</summary>
    [Theory]
    [InlineData("Processing")]
    [InlineData("Delivered")]
    [InlineData("Cancelled")]
    public async Task An_order_that_is_no_longer_pending_does_not_expire(string status)
    {
        var productId = await app.ProductAsync(stock: 5);
        var (changed, expired) = (await app.OrderAsync((productId, 2)), await app.OrderAsync((productId, 1)));
        await ExpireAsync($"id IN ({changed}, {expired})");
        // Earlier than the other, which is waited for.
        await app.ScalarAsync<object>(
            $"""
            UPDATE shop.orders
            SET status = '{status}', version = version + 1, expires_at = expires_at - interval '1 hour'
            WHERE id = {changed}
            """);

        await using var process = Process();
        await EventuallyNoneIsExpiredAsync();

        (await app.VersionAsync("orders", changed)).ShouldBe(2);
        (await app.StockAsync(productId)).ShouldBe(3);
    }

    [Fact]
    public async Task An_order_that_cannot_be_cancelled_does_not_stop_the_others()
    {
        var productId = await app.ProductAsync(stock: 5);
        var (damaged, expired) = (await app.OrderAsync((productId, 2)), await app.OrderAsync((productId, 1)));
        await ExpireAsync($"id IN ({damaged}, {expired})");
        await app.ScalarAsync<object>(
            $$"""
            UPDATE shop.orders SET status_history = '{}', expires_at = expires_at - interval '1 hour'
            WHERE id = {{damaged}}
            """);

        try
        {
            await using var process = Process();
            await Eventually.Holds(
                async () => await app.CountAsync("orders", $"id = {expired} AND status = 'Cancelled'") == 1,
                "the other order is cancelled");

            (await app.StockAsync(productId)).ShouldBe(3);
        }
        finally
        {
            await app.ScalarAsync<object>($"UPDATE shop.orders SET expires_at = NULL WHERE id = {damaged}");
        }
    }

    [Fact]
    public async Task An_order_whose_product_is_locked_does_not_delay_other_orders()
    {
        var (locked, free) = (await app.ProductAsync(stock: 5), await app.ProductAsync(stock: 5));
        var (waiting, expired) = (await app.OrderAsync((locked, 2)), await app.OrderAsync((free, 2)));
        await using var process = Process(lockSeconds: "600");
        await using (await HeldRow.LockAsync(app, "products", locked))
        {
            await ExpireAsync($"id = {waiting}");
            await ExpireAsync($"id = {expired}");
            await Eventually.Holds(
                async () => await app.CountAsync("orders", $"id = {expired} AND status = 'Cancelled'") == 1,
                "the other order is cancelled");
            (await app.CountAsync("orders", $"id = {waiting} AND status = 'Pending'")).ShouldBe(1);
        }

        await EventuallyNoneIsExpiredAsync();
        (await app.StockAsync(locked)).ShouldBe(5);
    }

    [Fact]
    public async Task An_order_with_a_deadline_expires_also_after_new_ones_get_none()
    {
        var productId = await app.ProductAsync(stock: 5);
        var expired = await app.OrderAsync((productId, 2));
        await ExpireAsync($"id = {expired}");

        await using var process = Process(minutes: "0");
        await EventuallyNoneIsExpiredAsync();

        await app.ShouldHaveSaidAsync("orders", expired, "apexshop.order.status-changed", 2);
        (await app.StockAsync(productId)).ShouldBe(5);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(-2)]
    public async Task The_deadline_is_by_the_clock_of_the_database_that_also_checks_it(int hours)
    {
        var productId = await app.ProductAsync();
        await using var parent = CommandsApp.Start(app.Database.Commands);
        await using var process = parent.WithWebHostBuilder(host => host.ConfigureServices(
            services => services.AddSingleton<TimeProvider>(new WrongClock(TimeSpan.FromHours(hours)))));
        process.UseKestrel();

        var order = await OrderAtAsync(process, productId);

        (await app.ScalarAsync<int>(
            $"SELECT round(extract(epoch FROM expires_at - now()) / 60)::int FROM shop.orders WHERE id = {order}"))
            .ShouldBeInRange(58, 60);
    }

    [Fact]
    public async Task Two_processes_cancel_each_expired_order_once()
    {
        var (userId, a, b) =
            (await app.UserAsync(), await app.ProductAsync(stock: 100), await app.ProductAsync(stock: 100));
        var orders = await Task.WhenAll(
            Enumerable.Range(0, 60).Select(_ => app.OrderOfAsync(userId, (a, 1), (b, 1))));
        await ExpireAsync($"user_id = {userId}");

        await using var one = Process();
        await using var other = Process();
        await EventuallyNoneIsExpiredAsync();

        var own = $"resource = 'orders' AND aggregate_id IN ({string.Join(',', orders)})";
        (await app.CountAsync("orders", $"user_id = {userId} AND status = 'Cancelled' AND version = 2")).ShouldBe(60);
        (await app.CountAsync("outbox", $"{own} AND version = 2")).ShouldBe(60);
        (await app.StockAsync(a)).ShouldBe(100);
        (await app.StockAsync(b)).ShouldBe(100);
    }

    [Fact]
    public async Task An_order_that_expires_while_it_is_paid_is_either_paid_or_cancelled()
    {
        var (userId, productId) = (await app.UserAsync(), await app.ProductAsync(stock: 100));
        await using var one = Process();
        await using var other = Process();

        var paid = 0;
        for (var round = 0; round < 4; round++)
        {
            var orders = await Task.WhenAll(
                Enumerable.Range(0, 10).Select(_ => app.OrderOfAsync(userId, (productId, 1))));
            var expiring = ExpireAsync($"id IN ({string.Join(',', orders)})");
            var answers = await Task.WhenAll(
                orders.Select(id => app.PutAsync($"/orders/{id}", ShopBuilder.StatusBody("Processing"))));
            await expiring;
            await EventuallyNoneIsExpiredAsync();
            for (var i = 0; i < orders.Length; i++)
            {
                var status = await app.ScalarAsync<string>($"SELECT status FROM shop.orders WHERE id = {orders[i]}");
                if (answers[i].Status == HttpStatusCode.OK) status.ShouldBe("Processing");
                else answers[i].ShouldBeProblem(HttpStatusCode.Conflict, "order.status_refused");
                if (status == "Processing") paid++;
                await app.ShouldHaveSaidAsync("orders", orders[i], "apexshop.order.status-changed", 2);
            }
        }

        (await app.StockAsync(productId)).ShouldBe(100 - paid);
    }

    [Fact]
    public async Task Only_a_pending_order_has_a_deadline_and_one_that_was_imported_has_none()
    {
        var (userId, productId) = (await app.UserAsync(), await app.ProductAsync());
        var shipped = await app.OrderAsync((productId, 1));
        await app.ManyOrdersAsync(userId, productId, 3, "Pending", deliveredDaysAgo: null);
        await app.PutAsync($"/orders/{shipped}", new { status = "Pending", shippingAddress = "Elsewhere" });
        (await MinutesAsync(shipped)).ShouldBe(60);

        await app.MoveOrderAsync(shipped, "Processing");

        (await MinutesAsync(shipped)).ShouldBeNull();
        (await app.CountAsync("orders", $"user_id = {userId} AND expires_at IS NOT NULL")).ShouldBe(0);
    }

    private static List<(string Status, string Actor)> Changes(JsonElement state) =>
    [
        .. state.GetProperty("statusHistory").EnumerateArray().Select(change =>
            (change.GetProperty("status").GetString()!, change.GetProperty("actor").GetString()!)),
    ];

    private WebApplicationFactory<Program> Process(string minutes = "60", string lockSeconds = "10")
    {
        var process = CommandsApp.Start(
            app.Database.Commands, ("Orders:ExpiryInterval", "00:00:00.010"), ("Orders:PendingMinutes", minutes),
            ("Persistence:LockSeconds", lockSeconds));
        process.StartServer();
        return process;
    }

    private async Task<int> OrderElsewhereAsync(int productId, string minutes)
    {
        await using var process = CommandsApp.Start(app.Database.Commands, ("Orders:PendingMinutes", minutes));
        return await OrderAtAsync(process, productId);
    }

    private async Task<int> OrderAtAsync(WebApplicationFactory<Program> process, int productId)
    {
        using var http = CommandsApp.Client(process, CommandsApp.Key);
        var body = ShopBuilder.OrderBody(await app.UserAsync(), (productId, 1));
        var answer = await Answer.ReadAsync(await http.PostAsJsonAsync("/orders", body));
        answer.Status.ShouldBe(HttpStatusCode.Created, answer.Text);
        return answer.Id;
    }

    private Task<int?> MinutesAsync(int orderId) => app.ScalarAsync<int?>(
        $"SELECT (extract(epoch FROM expires_at - order_date) / 60)::int FROM shop.orders WHERE id = {orderId}");

    private Task<object?> ExpireAsync(string where) => app.ScalarAsync<object>(
        $"UPDATE shop.orders SET expires_at = {Past} WHERE expires_at IS NOT NULL AND {where}");

    private Task EventuallyNoneIsExpiredAsync() => Eventually.Holds(
        async () => await app.CountAsync("orders", "expires_at <= now() AND status = 'Pending'") == 0,
        "no order is expired");

    private sealed class WrongClock(TimeSpan ahead) : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + ahead;
    }
}
