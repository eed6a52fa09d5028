using System.Net.Http.Json;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Faults;

/// <summary>Processes are killed at the worst point in time, where a lock on a table makes them wait.</summary>
public sealed class CrashTests(LockedShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<LockedShop>
{
    private const string ShopSql = """
        SELECT 'category', to_jsonb(t)::text FROM shop.categories t UNION ALL SELECT 'user', to_jsonb(t)::text
            FROM shop.users t
        UNION ALL SELECT 'product', to_jsonb(t)::text FROM shop.products t UNION ALL SELECT 'order', to_jsonb(t)::text
            FROM shop.orders t
        UNION ALL SELECT 'item', to_jsonb(t)::text FROM shop.order_items t UNION ALL SELECT 'review', to_jsonb(t)::text
            FROM shop.reviews t
        UNION ALL SELECT 'event', position::text FROM shop.events ORDER BY 1, 2
        """;

    [Fact]
    public async Task No_command_leaves_a_change_without_its_event_when_the_process_dies_between_the_two()
    {
        var commands = await CommandsAsync();
        await State.ProjectedAsync();
        var before = await State.Database.RowsAsync(ShopSql);

        Task<HttpResponseMessage>[] responses;
        await using (await LockAsync("shop.outbox"))
        {
            responses = [.. commands.Select(command => Shop.Commands.Http.SendAsync(command))];
            await BlockedAsync("commands", "%INSERT INTO shop.outbox%", commands.Count);
            await Shop.Commands.KillAsync();
        }

        foreach (var response in responses) await Should.ThrowAsync<HttpRequestException>(() => response);
        await Shop.Commands.StartAsync();
        await State.ProjectedAsync();
        var after = await State.Database.RowsAsync(ShopSql);
        before.Except(after).ShouldBeEmpty();
        // A creation is one message to the server, which may finish it after the client's death: then all
        // of it.
        var (events, rows) = (after.Except(before).Count(IsEvent), after.Except(before).Count(row => !IsEvent(row)));
        events.ShouldBe(rows);
        await State.LogEqualsTablesAsync();

        static bool IsEvent(string row) => row.StartsWith("event ", StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("products")]
    [InlineData("categories")]
    [InlineData("users")]
    public async Task A_projector_that_dies_while_it_applies_a_message_applies_it_afterwards(string resource)
    {
        var category =
            await Client.CreateAsync(Resource.Categories.Name, Bodies.Category($"Before {Guid.NewGuid():N}"));
        await State.ProjectedAsync();

        Written written;
        await using (await LockAsync($"read.{resource}"))
        {
            written = await Client.CreateAsync(resource, resource switch
            {
                "products" => Bodies.Product(category.Id),
                "users" => Bodies.User($"{Guid.NewGuid():N}@example.com"),
                _ => Bodies.Category($"During {Guid.NewGuid():N}"),
            });
            await BlockedAsync("projector", "%", 1);
            await Shop.Projector.KillAsync();
        }

        await Shop.Projector.StartAsync();
        await State.ProjectedAsync();
        (await Client.FindAsync(resource, written.Id)).ShouldNotBeNull();
        await State.DocumentsEqualTablesAsync();
    }

    /// <summary>One command of every kind, each on rows of its own, so that no command waits for another.</summary>
    private async Task<List<HttpRequestMessage>> CommandsAsync()
    {
        var category = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category($"Kept {Guid.NewGuid():N}"));
        var products = new List<Written>();
        for (var i = 0; i < 6; i++)
            products.Add(await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category.Id)));
        var users = new List<Written>();
        for (var i = 0; i < 4; i++)
            users.Add(await Client.CreateAsync(Resource.Users.Name, Bodies.User($"{Guid.NewGuid():N}@example.com")));
        var cancelled = await Client.CreateAsync(Resource.Orders.Name, Bodies.Order(users[0].Id, (products[0].Id, 1)));
        var deleted = await Client.CreateAsync(Resource.Orders.Name, Bodies.Order(users[0].Id, (products[1].Id, 1)));
        var changed = await Client.CreateAsync(Resource.Reviews.Name, Bodies.Review(products[2].Id, users[0].Id, 5));
        var removed = await Client.CreateAsync(Resource.Reviews.Name, Bodies.Review(products[2].Id, users[1].Id, 4));
        var renamed =
            await Client.CreateAsync(Resource.Categories.Name, Bodies.Category($"Renamed {Guid.NewGuid():N}"));
        var empty = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category($"Empty {Guid.NewGuid():N}"));
        return
        [
            Command(HttpMethod.Post, "/categories", Bodies.Category($"New {Guid.NewGuid():N}")),
            Command(HttpMethod.Put, $"/categories/{renamed.Id}", Bodies.Category($"New name {Guid.NewGuid():N}")),
            Command(HttpMethod.Delete, $"/categories/{empty.Id}"),
            Command(HttpMethod.Post, "/users", Bodies.User($"{Guid.NewGuid():N}@example.com")),
            Command(HttpMethod.Put, $"/users/{users[2].Id}", Bodies.User($"{Guid.NewGuid():N}@example.com", "New")),
            Command(HttpMethod.Delete, $"/users/{users[3].Id}"),
            Command(HttpMethod.Post, "/products", Bodies.Product(category.Id)),
            Command(HttpMethod.Put, $"/products/{products[3].Id}", Bodies.Product(category.Id, "New name")),
            Command(HttpMethod.Delete, $"/products/{products[4].Id}"),
            Command(HttpMethod.Post, "/orders", Bodies.Order(users[0].Id, (products[5].Id, 1))),
            Command(HttpMethod.Put, $"/orders/{cancelled.Id}", Bodies.OrderStatus("Cancelled")),
            Command(HttpMethod.Delete, $"/orders/{deleted.Id}"),
            Command(HttpMethod.Post, "/reviews", Bodies.Review(products[0].Id, users[1].Id, 3)),
            Command(HttpMethod.Put, $"/reviews/{changed.Id}", Bodies.ReviewText(1, "Changed")),
            Command(HttpMethod.Delete, $"/reviews/{removed.Id}"),
        ];
    }

    private static HttpRequestMessage Command(HttpMethod method, string path, object? body = null) =>
        new(method, path) { Content = body is null ? null : JsonContent.Create(body) };

    /// <summary>Holds a table until disposed.</summary>
    private async Task<NpgsqlConnection> LockAsync(string table)
    {
        var connection = new NpgsqlConnection(
            new NpgsqlConnectionStringBuilder(Shop.Database.Superuser) { Pooling = false }.ConnectionString);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand($"BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE", connection);
        await command.ExecuteNonQueryAsync();
        return connection;
    }

    private Task BlockedAsync(string role, string statement, int sessions) => Eventually.Holds(
        async () => await State.Database.ScalarAsync<long>("""
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND usename = $1 AND wait_event_type = 'Lock' AND query LIKE $2
            """, role, statement) >= sessions,
        $"{sessions} sessions of {role} wait for the lock");
}
