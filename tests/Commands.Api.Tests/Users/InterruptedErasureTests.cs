using System.Net;
using ApexShop.Commands.Api.Tests.Commands.Idempotency;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Users;

/// <summary>Erasures that fail on the way, and commands at the same time.</summary>
public sealed class InterruptedErasureTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task An_interrupted_erasure_keeps_its_chunks_and_the_next_one_does_the_rest()
    {
        var user = await app.UserAsync();
        var orders = await app.ManyOrdersAsync(user, await app.ProductAsync(), 1_500, "Delivered", 1);

        await app.RefusedAtAsync(orders + 1_400, () => app.EraseAsync(user));

        (await app.CountAsync("orders", $"user_id = {user} AND shipping_address = 'Erased'")).ShouldBe(1_000);
        (await app.CountAsync("users", $"id = {user} AND first_name = 'Ada' AND version = 1")).ShouldBe(1);
        (await app.EraseAsync(user)).Status.ShouldBe(HttpStatusCode.NoContent);
        (await app.SaidAsTheyAreAsync("orders", "apexshop.order.updated", $"r.user_id = {user} AND r.version = 2"))
            .ShouldBe(1_500);
        (await app.StatementsAsync("orders", orders, 1_500)).ShouldBe("2 in 2");
        await app.ShouldHaveSaidAsync("users", user, "apexshop.user.erased", 2);
    }

    [Fact]
    public async Task With_a_key_it_is_one_transaction()
    {
        var user = await app.UserAsync();
        var orders = await app.ManyOrdersAsync(user, await app.ProductAsync(), 1_500, "Cancelled", null);
        var path = $"/users/{user}/erase";

        await app.RefusedAtAsync(
            orders + 1_400, async () => (await app.PostKeyedAsync("erasure", path, new { })).Answer);
        (await app.CountAsync("orders", $"user_id = {user} AND version = 1")).ShouldBe(1_500);

        (await app.PostKeyedAsync("erasure", path, new { })).Answer.Status.ShouldBe(HttpStatusCode.NoContent);
        (await app.PostKeyedAsync("erasure", path, new { })).Answer.Status.ShouldBe(HttpStatusCode.NoContent);
        (await app.CountAsync("orders", $"user_id = {user} AND version = 2")).ShouldBe(1_500);
        (await app.VersionAsync("users", user)).ShouldBe(2);
    }

    [Fact]
    public async Task An_order_that_is_placed_meanwhile_refuses_it()
    {
        var (user, _) = await app.BuyerAsync(await app.ProductAsync());

        var answer = await DuringAsync(() => app.EraseAsync(user), OrderOf(user, 1_900_000_001, "Pending"));

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "user.has_open_orders");
        (await app.CountAsync("users", $"id = {user} AND first_name = 'Ada'")).ShouldBe(1);
    }

    [Fact]
    public async Task An_order_that_is_placed_and_cancelled_meanwhile_is_erased_too()
    {
        var (user, _) = await app.BuyerAsync(await app.ProductAsync());

        var answer = await DuringAsync(() => app.EraseAsync(user), OrderOf(user, 1_900_000_002, "Cancelled"));

        answer.Status.ShouldBe(HttpStatusCode.NoContent, answer.Text);
        (await app.CountAsync("orders", $"user_id = {user} AND shipping_address <> 'Erased'")).ShouldBe(0);
        (await app.CountAsync("orders", $"user_id = {user}")).ShouldBe(2);
    }

    [Fact]
    public async Task It_is_completed_although_the_customer_logs_in_meanwhile()
    {
        var (user, order) = await app.BuyerAsync(await app.ProductAsync());
        var version = await app.VersionAsync("users", user);

        var answer = await DuringAsync(
            () => app.EraseAsync(user, $"\"{version}\""),
            $"UPDATE shop.users SET version = version + 1 WHERE id = {user}");

        answer.Status.ShouldBe(HttpStatusCode.NoContent, answer.Text);
        (await app.VersionAsync("users", user)).ShouldBe(version + 2);
        (await app.VersionAsync("orders", order)).ShouldBe(5);
    }

    [Fact]
    public async Task Before_anything_is_erased_another_version_refuses_it()
    {
        var user = await app.UserAsync();

        var answer = await DuringAsync(
            () => app.EraseAsync(user, "\"1\""), $"UPDATE shop.users SET version = version + 1 WHERE id = {user}");

        answer.ShouldBeProblem(HttpStatusCode.PreconditionFailed, "version.mismatch");
    }

    /// <summary>Orders are locked before their user (docs/decisions/0012-lock-order.md).</summary>
    [Fact]
    public async Task With_a_key_it_is_refused_after_an_order_that_is_placed_and_cancelled_meanwhile()
    {
        var (user, _) = await app.BuyerAsync(await app.ProductAsync());
        async Task<Answer> EraseAsync() =>
            (await app.PostKeyedAsync($"erasure-{user}", $"/users/{user}/erase", new { })).Answer;

        var answer = await DuringAsync(EraseAsync, OrderOf(user, 1_900_000_003, "Cancelled"));

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "version.overtaken");
        (await app.CountAsync("orders", $"user_id = {user} AND shipping_address = 'Erased'")).ShouldBe(0);
        (await EraseAsync()).Status.ShouldBe(HttpStatusCode.NoContent);
        (await app.CountAsync("orders", $"user_id = {user} AND shipping_address = 'Erased'")).ShouldBe(2);
    }

    private static string OrderOf(int user, int id, string status) =>
        $"""
        SELECT FROM shop.users WHERE id = {user} FOR SHARE;
        INSERT INTO shop.orders (id, user_id, order_date, status, total_amount, shipping_address, version)
        VALUES ({id}, {user}, now(), '{status}', 1, 'Here', 1)
        """;

    // The change commits once the erasure waits for the user, after it has erased the earlier orders.
    private async Task<Answer> DuringAsync(Func<Task<Answer>> erase, string change)
    {
        await using var connection = await app.Superuser.OpenConnectionAsync();
        await using var transaction = await connection.BeginTransactionAsync();
        await using (var command = new NpgsqlCommand(change, connection, transaction))
            await command.ExecuteNonQueryAsync();
        var erasure = erase();
        await Eventually.Holds(
            async () => await app.ScalarAsync<long>("""
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%users%FOR UPDATE%'
                """) == 1,
            "the erasure waits");
        await transaction.CommitAsync();
        return await erasure;
    }
}
