using System.Net;
using System.Net.Http.Json;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Concurrency;

/// <summary>Commands that must wait for a change that is under way, and then see it.</summary>
public sealed class WaitingCommandTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task No_order_is_placed_for_a_user_during_the_deactivation()
    {
        var (productId, userId) = (await app.ProductAsync(), await app.UserAsync());

        var answer = await AfterAsync(
            $"UPDATE shop.users SET is_active = false WHERE id = {userId}",
            HttpMethod.Post, "/orders", ShopBuilder.OrderBody(userId, (productId, 1)));

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "order.user_inactive");
        (await app.StockAsync(productId)).ShouldBe(10);
    }

    [Fact]
    public async Task A_customer_reviews_nothing_during_the_deactivation()
    {
        var (productId, userId) = (await app.ProductAsync(), await app.UserAsync());
        using var customer = await app.CustomerAsync(userId);

        var answer = await AfterAsync(
            $"UPDATE shop.users SET is_active = false WHERE id = {userId}",
            async () => await Answer.ReadAsync(
                await customer.PostAsJsonAsync("/reviews", new { productId, userId, rating = 1 })));

        answer.ShouldBeProblem(HttpStatusCode.Forbidden, "access.customer_inactive");
        (await app.CountAsync("reviews", $"user_id = {userId}")).ShouldBe(0);
    }

    [Fact]
    public async Task A_user_who_just_ordered_is_not_deactivated()
    {
        var (productId, userId) = (await app.ProductAsync(), await app.ManyUsersAsync(1, createdDaysAgo: 40));

        var answer = await AfterAsync(
            $"""
            SELECT FROM shop.users WHERE id = {userId} FOR SHARE;
            INSERT INTO shop.orders (id, user_id, order_date, status, total_amount, shipping_address, version)
            VALUES ({1_900_000_000 + productId}, {userId}, now(), 'Pending', 1, 'Here', 1)
            """,
            HttpMethod.Patch, "/users/bulk-deactivate-inactive?inactiveDays=30", null);

        answer.Body.GetProperty("changed").GetInt32().ShouldBe(0);
        (await app.CountAsync("users", $"id = {userId} AND is_active AND version = 1")).ShouldBe(1);
    }

    [Fact]
    public async Task A_review_that_was_just_written_is_deleted_with_its_product_and_has_an_event()
    {
        var (productId, userId, reviewId) = (await app.ProductAsync(), await app.UserAsync(), 1_900_000_000);

        var answer = await AfterAsync(
            $"INSERT INTO shop.reviews VALUES ({reviewId}, {productId}, {userId}, 5, NULL, now(), false, 1)",
            HttpMethod.Delete, "/products/bulk", new[] { productId });

        answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);
        await app.ShouldBeGoneAsync("products", productId, "apexshop.product.deleted", 2);
        await app.ShouldBeGoneAsync("reviews", reviewId, "apexshop.review.deleted", 2);
    }

    [Fact]
    public async Task A_product_that_is_just_being_sold_is_not_deleted_and_the_order_is_named()
    {
        var (productId, orderId) = (await app.ProductAsync(), await app.OrderAsync((await app.ProductAsync(), 1)));

        var answer = await AfterAsync(
            "INSERT INTO shop.order_items (order_id, product_id, quantity, unit_price, total_price) VALUES "
            + $"({orderId}, {productId}, 1, 1, 1)",
            HttpMethod.Delete, "/products/bulk", new[] { productId });

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "product.sold");
        answer.Body.GetProperty("blockedBy").GetProperty("items")[0].GetProperty("ids")[0].GetInt32().ShouldBe(orderId);
    }

    [Fact]
    public async Task A_delta_moves_the_stock_that_an_order_has_just_left()
    {
        var categoryId = await app.CategoryAsync();
        var first = await app.ManyProductsAsync(categoryId, 2);

        var answer = await AfterAsync(
            $"UPDATE shop.products SET stock = 4, version = version + 1 WHERE id = {first + 1}",
            HttpMethod.Patch, "/products/bulk-update-stock", new { categoryId, delta = -4 });

        answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);
        (await app.StockAsync(first)).ShouldBe(6);
        (await app.ShouldHaveSaidAsync("products", first + 1, "apexshop.product.stock-changed", 3))
            .GetProperty("stock")
            .GetInt32()
            .ShouldBe(0);
    }

    [Fact]
    public async Task A_user_who_just_logged_in_is_not_deactivated()
    {
        var userId = await app.ManyUsersAsync(1, createdDaysAgo: 40);

        var answer = await AfterAsync(
            $"UPDATE shop.users SET last_login_date = now() WHERE id = {userId}",
            HttpMethod.Patch, "/users/bulk-deactivate-inactive?inactiveDays=30", null);

        answer.Body.GetProperty("changed").GetInt32().ShouldBe(0);
        (await app.CountAsync("users", $"id = {userId} AND is_active AND version = 1")).ShouldBe(1);
    }

    // Sends the command while the change is not committed, and commits once the command waits for it.
    private Task<Answer> AfterAsync(string change, HttpMethod method, string path, object? body) =>
        AfterAsync(change, () => app.SendAsync(method, path, body));

    private async Task<Answer> AfterAsync(string change, Func<Task<Answer>> send)
    {
        await using var connection = await app.Superuser.OpenConnectionAsync();
        await using var transaction = await connection.BeginTransactionAsync();
        await using (var command = new NpgsqlCommand(change, connection, transaction))
            await command.ExecuteNonQueryAsync();
        var answer = send();
        await Eventually.Holds(async () => await WaitingAsync() == 1, "the command waits");
        await transaction.CommitAsync();
        return await answer;
    }

    private Task<long> WaitingAsync() => app.ScalarAsync<long>(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
}
