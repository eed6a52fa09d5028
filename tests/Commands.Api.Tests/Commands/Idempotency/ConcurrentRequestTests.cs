using System.Net;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Commands.Idempotency;

public sealed class ConcurrentRequestTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const int Requests = 32;

    [Fact]
    public async Task Of_many_concurrent_requests_one_is_executed()
    {
        var (user, product) = (await app.UserAsync(), await app.ProductAsync(stock: 100));
        var (key, body) = (Guid.NewGuid().ToString(), ShopBuilder.OrderBody(user, (product, 1)));

        var answers =
            await Task.WhenAll(Enumerable.Range(0, Requests).Select(_ => app.PostKeyedAsync(key, "/orders", body)));

        var created = answers.Where(one => one.Answer.Status == HttpStatusCode.Created).ToList();
        created.Count(one => !one.Replayed).ShouldBe(1);
        foreach (var replayed in created.Where(one => one.Replayed))
            replayed.ShouldRepeat(created.Single(one => !one.Replayed));
        foreach (var early in answers.Except(created)) ShouldBeInProgress(early);
        (await app.CountAsync($"orders WHERE user_id = {user}")).ShouldBe(1);
        (await app.StockAsync(product)).ShouldBe(99);
        (await app.OutboxAsync("products", product)).Count.ShouldBe(2);
    }

    [Fact]
    public async Task Of_many_concurrent_bodies_one_is_executed()
    {
        var category = await app.CategoryAsync();
        var key = Guid.NewGuid().ToString();

        var answers = await Task.WhenAll(Enumerable.Range(0, Requests).Select(
            i => app.PostKeyedAsync(key, "/products", ShopBuilder.ProductBody(category, stock: i))));

        answers.Count(one => one.Answer.Status == HttpStatusCode.Created).ShouldBe(1);
        answers.Where(one => one.Answer.Status != HttpStatusCode.Created)
            .ShouldAllBe(
                one => one.Answer.Code == "idempotency.in_progress" || one.Answer.Code == "idempotency.key_reused");
        (await app.CountAsync($"products WHERE category_id = {category}")).ShouldBe(1);
    }

    [Fact]
    public async Task While_the_first_runs_the_second_gets_Retry_After_and_later_the_response()
    {
        var (user, product) = (await app.UserAsync(), await app.ProductAsync(stock: 5));
        var (key, body) = (Guid.NewGuid().ToString(), ShopBuilder.OrderBody(user, (product, 2)));
        Task<KeyedResponse> first;
        await using (await HoldAsync(product))
        {
            first = app.PostKeyedAsync(key, "/orders", body);
            await WaitsAsync();

            ShouldBeInProgress(await app.PostKeyedAsync(key, "/orders", body));
            ShouldBeInProgress(await app.PostKeyedAsync(key, "/categories", new { name = "x" }));
            (await app.PostKeyedAsync(key + "2", "/categories", new { name = "x" }))
                .Answer.ShouldBeCreated("categories");
        }

        (await first).Answer.ShouldBeCreated("orders");
        (await app.PostKeyedAsync(key, "/orders", body)).ShouldRepeat(await first);
        (await app.StockAsync(product)).ShouldBe(3);
    }

    [Fact]
    public async Task A_client_that_hangs_up_leaves_its_key_to_the_next_request()
    {
        var (user, product) = (await app.UserAsync(), await app.ProductAsync(stock: 5));
        var (key, body) = (Guid.NewGuid().ToString(), ShopBuilder.OrderBody(user, (product, 2)));
        await using (await HoldAsync(product))
        {
            using var impatient = app.ClientWith(CommandsApp.Key);
            var first = impatient.SendKeyedAsync(key, HttpMethod.Post, "/orders", body);
            await WaitsAsync();
            impatient.CancelPendingRequests();
            await Should.ThrowAsync<OperationCanceledException>(() => first);
            await Eventually.Holds(async () => await WaitingAsync() == 0, "the command was given up");
        }

        await Eventually.Holds(async () =>
            (await app.PostKeyedAsync(key, "/orders", body)).Answer.Status == HttpStatusCode.Created,
            "the order is placed");
        (await app.CountAsync($"orders WHERE user_id = {user}")).ShouldBe(1);
        (await app.StockAsync(product)).ShouldBe(3);
    }

    private static void ShouldBeInProgress(KeyedResponse early)
    {
        early.Answer.ShouldBeProblem(HttpStatusCode.Conflict, "idempotency.in_progress");
        early.RetryAfter.ShouldBe(TimeSpan.FromSeconds(1));
        (early.Replayed, early.Token).ShouldBe((false, null));
    }

    /// <summary>Keeps every client from changing a product until disposed.</summary>
    private async Task<NpgsqlConnection> HoldAsync(int product)
    {
        var connection = new NpgsqlConnection(
            new NpgsqlConnectionStringBuilder(app.Database.Superuser) { Pooling = false }.ConnectionString);
        await connection.OpenAsync();
        await using var command =
            new NpgsqlCommand($"BEGIN; SELECT FROM shop.products WHERE id = {product} FOR UPDATE", connection);
        await command.ExecuteNonQueryAsync();
        return connection;
    }

    private Task WaitsAsync() => Eventually.Holds(async () => await WaitingAsync() == 1, "a command waits for the row");

    private Task<long> WaitingAsync() => app.ScalarAsync<long>(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'commands' AND "
        + "wait_event_type = 'Lock'");
}
