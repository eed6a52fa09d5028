using System.Net;
using System.Net.Http.Json;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Limits;

public sealed class RequestTimeoutTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task A_request_that_takes_too_long_is_aborted_and_rolled_back()
    {
        var product = await app.ProductAsync(stock: 10);
        var user = await app.UserAsync();
        var before = await app.SnapshotAsync();
        await using var api = CommandsApp.Start(app.Database.Commands, ("Limits:RequestSeconds", "8"));
        using var client = CommandsApp.Client(api, CommandsApp.Key);
        await using var locker = await app.Superuser.OpenConnectionAsync();
        await using var transaction = await locker.BeginTransactionAsync();
        // The order has reduced the stock before it waits for the lock.
        await using (var command = new NpgsqlCommand("LOCK TABLE shop.order_items", locker))
            await command.ExecuteNonQueryAsync();

        var sending = client.PostAsJsonAsync("/orders", ShopBuilder.OrderBody(user, (product, 3)));
        await Eventually.Holds(async () =>
            await app.ScalarAsync<long>(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database "
                + "WHERE datname = current_database())") > 0, "the order waits");
        using var response = await sending;

        (await Answer.ReadAsync(response)).ShouldBeProblem(HttpStatusCode.ServiceUnavailable, "request.timeout");
        response.Headers.RetryAfter!.Delta.ShouldNotBeNull();
        await transaction.RollbackAsync();
        (await app.SnapshotAsync()).ShouldBe(before);
        (await app.StockAsync(product)).ShouldBe(10);
        (await app.PostAsync("/orders", ShopBuilder.OrderBody(user, (product, 3)))).ShouldBeCreated("orders");
    }
}
