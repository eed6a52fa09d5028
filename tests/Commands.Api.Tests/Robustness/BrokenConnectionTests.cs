using System.Globalization;
using System.Net;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Robustness;

public sealed class BrokenConnectionTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const string Body = "{\"name\":\"cut short\"}";

    [Fact]
    public async Task A_body_that_stops_midway_changes_nothing()
    {
        var before = await app.SnapshotAsync();
        using var connection = await RawConnection.OpenAsync(app.Http.BaseAddress!);
        await connection.SendAsync(
            RawConnection.Head("POST /categories", "Content-Type: application/json", "Content-Length: 1000"));
        await connection.SendAsync(Body);
        connection.Finish();

        await connection.ReadAsync();

        await ShouldStillAnswerAsync();
        (await app.SnapshotAsync()).ShouldBe(before);
    }

    [Fact]
    public async Task A_list_that_stops_midway_changes_nothing()
    {
        var before = await app.SnapshotAsync();
        using var connection = await RawConnection.OpenAsync(app.Http.BaseAddress!);
        await connection.SendAsync(
            RawConnection.Head(
                "POST /categories/bulk", "Content-Type: application/x-ndjson", "Transfer-Encoding: chunked"));
        await connection.SendAsync(string.Create(CultureInfo.InvariantCulture, $"{Body.Length + 1:x}\r\n{Body}\n\r\n"));
        connection.Finish();

        await connection.ReadAsync();

        await ShouldStillAnswerAsync();
        (await app.SnapshotAsync()).ShouldBe(before);
    }

    [Fact]
    public async Task A_body_that_does_not_come_is_given_up()
    {
        var before = await app.SnapshotAsync();
        using var connection = await RawConnection.OpenAsync(app.Http.BaseAddress!);
        await connection.SendAsync(
            RawConnection.Head("POST /categories", "Content-Type: application/json", "Content-Length: 1000"));
        await connection.SendAsync(Body);

        var answer = await connection.ReadAsync();

        answer.ShouldStartWith("HTTP/1.1 408 ");
        answer.ShouldContain("\"code\":\"request.too_slow\"");
        (await app.SnapshotAsync()).ShouldBe(before);
    }

    [Fact]
    public async Task A_client_that_hangs_up_while_its_command_waits_leaves_nothing_half_done()
    {
        var (product, user) = (await app.ProductAsync(stock: 10), await app.UserAsync());
        var before = await app.SnapshotAsync();
        await using var locker = await app.Superuser.OpenConnectionAsync();
        await using var transaction = await locker.BeginTransactionAsync();
        await using (var command = new NpgsqlCommand("LOCK TABLE shop.order_items", locker))
            await command.ExecuteNonQueryAsync();
        using var connection = await RawConnection.OpenAsync(app.Http.BaseAddress!);
        var body = $$"""{"userId":{{user}},"shippingAddress":"x","items":[{"productId":{{product}},"quantity":3}]}""";
        await connection.SendAsync(
            RawConnection.Head("POST /orders", "Content-Type: application/json", $"Content-Length: {body.Length}"));
        await connection.SendAsync(body);
        await Eventually.Holds(async () => await WaitingAsync() > 0, "the order waits, its stock taken");

        connection.Reset();

        await Eventually.Holds(async () => await WaitingAsync() == 0, "the order is given up");
        await transaction.RollbackAsync();
        (await app.StockAsync(product)).ShouldBe(10);
        (await app.SnapshotAsync()).ShouldBe(before);
        await ShouldStillAnswerAsync();
    }

    [Fact]
    public async Task Clients_that_send_and_hang_up_at_once_get_all_or_nothing()
    {
        var (product, user) = (await app.ProductAsync(stock: 1000), await app.UserAsync());
        var body = $$"""{"userId":{{user}},"shippingAddress":"x","items":[{"productId":{{product}},"quantity":1}]}""";
        for (var i = 0; i < 50; i++)
        {
            using var connection = await RawConnection.OpenAsync(app.Http.BaseAddress!);
            await connection.SendAsync(
                RawConnection.Head(
                    "POST /orders", "Content-Type: application/json", $"Content-Length: {body.Length}") + body);
            connection.Reset();
        }

        await Eventually.Holds(async () => await app.ScalarAsync<long>(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'commands' "
            + "AND state <> 'idle'") == 0, "all have ended");
        // In one snapshot, as one of the requests may still arrive.
        (await app.ScalarAsync<bool>($"""
            SELECT stock.left = 1000 - orders.made AND items.made = orders.made AND events.made = orders.made
            FROM (SELECT stock AS left FROM shop.products WHERE id = {product}) AS stock,
                (SELECT count(*) AS made FROM shop.orders WHERE user_id = {user}) AS orders,
                (SELECT count(*) AS made FROM shop.order_items WHERE product_id = {product}) AS items,
                (SELECT count(*) AS made FROM shop.outbox JOIN shop.orders ON orders.id = aggregate_id
                    WHERE resource = 'orders' AND user_id = {user}) AS events
            """)).ShouldBeTrue("an order has its stock, its items and its event");
    }

    [Theory]
    [InlineData("GET /limits HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n")]
    [InlineData("GET /limits HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")]
    [InlineData("GET /limits HTTP/1.1\r\nHost: a\r\nX\0: b\r\n\r\n")]
    [InlineData("GET /limits HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n")]
    [InlineData("POST /categories HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n")]
    [InlineData("POST /categories HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n")]
    [InlineData("GET /lim its HTTP/1.1\r\nHost: a\r\n\r\n")]
    [InlineData("GET  HTTP/1.1\r\n\r\n")]
    [InlineData("nonsense\r\n\r\n")]
    public async Task What_is_no_HTTP_is_refused_by_the_server_itself(string request)
    {
        using var connection = await RawConnection.OpenAsync(app.Http.BaseAddress!);
        await connection.SendAsync(request);

        (await connection.ReadAsync()).ShouldStartWith("HTTP/1.1 400 ");
        await ShouldStillAnswerAsync();
    }

    [Theory]
    [InlineData("If-Match", "\"1\r\nX-Injected: yes\"")]
    [InlineData("Idempotency-Key", "a\r\nX-Injected: yes")]
    public async Task What_a_header_says_does_not_become_a_header_of_the_answer(string header, string value)
    {
        using var connection = await RawConnection.OpenAsync(app.Http.BaseAddress!);
        await connection.SendAsync(
            RawConnection.Head("POST /categories", $"{header}: {value}", "Connection: close", "Content-Length: 0"));

        (await connection.ReadAsync()).ShouldNotContain("X-Injected");
    }

    [Fact]
    public async Task What_a_path_says_does_not_become_a_header_of_the_answer()
    {
        using var connection = await RawConnection.OpenAsync(app.Http.BaseAddress!);
        await connection.SendAsync(
            RawConnection.Head("DELETE /products/1%0D%0AX-Injected:%20yes", "Connection: close"));

        var answer = await connection.ReadAsync();
        answer.ShouldStartWith("HTTP/1.1 404 ");
        answer.Split("\r\n\r\n")[0].ShouldNotContain("X-Injected");
    }

    private Task<long> WaitingAsync() => app.ScalarAsync<long>(
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE "
        + "datname = current_database())");

    private async Task ShouldStillAnswerAsync() =>
        (await app.DeleteAsync("/products/0")).Status.ShouldBe(HttpStatusCode.NotFound);
}
