using System.Net;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Faults;

/// <summary>
/// A process is killed at the two points that matter for a key: before its response is stored, and while it is
/// committed.
/// </summary>
public sealed class IdempotencyCrashTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    private const int Gate = 4711;

    private IdempotentCommands Sender => new(Shop.Commands);

    [Fact]
    public async Task Killed_between_the_change_and_the_response_neither_is_stored()
    {
        var (command, product) = await OrderAsync();
        Task<(KeyedResponse, bool)?> first;
        // Other sessions may read the table, which claiming a key does, but not write to it.
        await using (await HoldAsync("BEGIN; LOCK TABLE shop.idempotency_keys IN SHARE MODE"))
        {
            first = Sender.TryAsync(command);
            await BlockedAsync("INSERT INTO shop.idempotency_keys%");
            await Shop.Commands.KillAsync();
        }

        (await first).ShouldBeNull();
        await Shop.Commands.StartAsync();
        var second = await Sender.SendAsync(command);

        (second.Response.Status, second.Replayed).ShouldBe((HttpStatusCode.Created, false));
        (await Sender.SendAsync(command)).ShouldBe((second.Response, true));
        await ShouldBeOrderedOnceAsync(command, product);
    }

    [Fact]
    public async Task Killed_during_the_commit_both_are_stored_and_the_next_request_gets_the_response()
    {
        var (command, product) = await OrderAsync();
        Task<(KeyedResponse, bool)?> first;
        await using (await HoldAsync($"""
            CREATE FUNCTION public.hold() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0 AS $$
                BEGIN PERFORM pg_advisory_xact_lock({Gate}); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER hold AFTER INSERT ON shop.idempotency_keys DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION public.hold();
            SELECT pg_advisory_lock({Gate});
            """))
        {
            first = Sender.TryAsync(command);
            await BlockedAsync("COMMIT%");
            await Shop.Commands.KillAsync();
            await Shop.Commands.StartAsync();
            // The server has not noticed the kill and will commit; until then the first request counts as running.
            (await Sender.TryAsync(command)).ShouldBeNull();
        }

        (await first).ShouldBeNull();
        var second = await Sender.SendAsync(command);

        (second.Response.Status, second.Replayed).ShouldBe((HttpStatusCode.Created, true));
        await ShouldBeOrderedOnceAsync(command, product);
    }

    private async Task<(KeyedCommand Command, int Product)> OrderAsync()
    {
        var user = await Client.CreateAsync(Resource.Users.Name, Bodies.User($"{Guid.NewGuid():N}@example.com"));
        var category = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Held"));
        var product = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category.Id, stock: 10));
        return (
            new KeyedCommand(
                Guid.NewGuid().ToString(), HttpMethod.Post, "/orders", Bodies.Order(user.Id, (product.Id, 3))),
                product.Id);
    }

    private async Task ShouldBeOrderedOnceAsync(KeyedCommand command, int product)
    {
        (await State.Database.ScalarAsync<long>("SELECT count(*) FROM shop.order_items WHERE product_id = $1", product))
            .ShouldBe(1, command.Key);
        (await State.Database.ScalarAsync<int>("SELECT stock FROM shop.products WHERE id = $1", product)).ShouldBe(7);
        await State.ProjectedAsync();
        await State.LogIsWholeAsync();
        await State.LogEqualsTablesAsync();
    }

    /// <summary>Holds the statement's lock until disposed.</summary>
    private async Task<NpgsqlConnection> HoldAsync(string sql)
    {
        var connection = new NpgsqlConnection(
            new NpgsqlConnectionStringBuilder(Shop.Database.Superuser) { Pooling = false }.ConnectionString);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
        return connection;
    }

    private Task BlockedAsync(string statement) => Eventually.Holds(
        async () => await State.Database.ScalarAsync<long>("""
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND usename = 'commands' AND wait_event_type = 'Lock' AND query LIKE $1
            """, statement) > 0,
        $"the command waits in {statement}");
}
