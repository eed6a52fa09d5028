using ApexShop.Commands.Api.Persistence;
using ApexShop.TestKit;
using Microsoft.EntityFrameworkCore;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Persistence;

/// <summary>Orders from before migration OrdersAsSold.</summary>
public sealed class OrdersAsSoldTests
{
    [Fact]
    public async Task Orders_get_their_names_their_history_from_the_log_and_an_event_and_no_deadline()
    {
        await using var database = await BeforeAsync();
        await using var shop = NpgsqlDataSource.Create(database.Superuser);
        await ExecuteAsync(shop, Before);

        await MigrateAsync(database, null);

        (await RowsAsync(shop, "SELECT product_name FROM shop.order_items")).ShouldBe(["Lamp", "Lamp"]);
        (await RowsAsync(shop, "SELECT status_history::text FROM shop.orders ORDER BY id")).ShouldBe([
            """
            [{"status":"Pending","time":"2026-11-20T08:30:00.12Z","actor":"customer"},
            {"status":"Processing","time":"2026-11-20T08:40:00Z","actor":"staff"},
            {"status":"Shipped","time":"2026-11-20T08:50:00Z","actor":null},
            {"status":"Cancelled","time":"2026-11-20T09:00:00Z","actor":"system"}]
            """.ReplaceLineEndings(""),
            "[]",
        ]);
        (await RowsAsync(
            shop,
            """
            SELECT o.data::text FROM shop.outbox AS o JOIN shop.orders AS r ON r.id = o.aggregate_id
            WHERE o.resource = 'orders' AND o.type = 'apexshop.order.updated' AND o.version = r.version
                AND r.version = CASE r.id WHEN 1 THEN 5 ELSE 2 END AND r.expires_at IS NULL AND o.actor = 'apexshop'
            ORDER BY o.id
            """)).ShouldBe(await RowsAsync(shop, "SELECT shop.order_state(r)::text FROM shop.orders AS r ORDER BY id"));
        (await RowsAsync(shop, "SELECT id::text FROM shop.outbox WHERE type = 'apexshop.order.updated'"))
            .Count.ShouldBe(2);
    }

    /// <summary>A wait for the outbox that is too long would undo the work on all orders.</summary>
    [Fact]
    public async Task The_outbox_is_locked_before_the_orders()
    {
        await using var database = await BeforeAsync();
        await using var shop = NpgsqlDataSource.Create(database.Superuser);
        await using var reader = await shop.OpenConnectionAsync();
        await using var backup = await reader.BeginTransactionAsync();
        await using (var read = new NpgsqlCommand("SELECT count(*) FROM shop.outbox", reader))
            await read.ExecuteScalarAsync();

        var migration = MigrateAsync(database, null);
        await Eventually.Holds(
            async () => (await LockedAsync(shop, isGranted: false)).Contains("shop.outbox"), "the migration waits");
        var locked = await LockedAsync(shop, isGranted: true);
        await backup.RollbackAsync();
        await migration;

        locked.ShouldNotContain("shop.orders");
        locked.ShouldNotContain("shop.order_items");
    }

    [Fact]
    public async Task The_constraint_that_a_way_back_dropped_is_added_again_as_the_manual_describes()
    {
        await using var database = await BeforeAsync();
        await using var shop = NpgsqlDataSource.Create(database.Superuser);
        await MigrateAsync(database, null);
        const string read = "SELECT pg_get_constraintdef(oid) FROM pg_constraint "
            + "WHERE conname = 'outbox_order_as_sold_check'";
        var before = await RowsAsync(shop, read);
        var manual = await File.ReadAllTextAsync(Path.Combine(Repository.Root, "docs", "operations.md"));

        await ExecuteAsync(shop, Statement(manual, "ALTER TABLE shop.outbox DROP CONSTRAINT"));
        (await RowsAsync(shop, read)).ShouldBeEmpty();
        await ExecuteAsync(shop, Statement(manual, "ALTER TABLE shop.outbox ADD CONSTRAINT"));

        (await RowsAsync(shop, read)).ShouldBe(before);
    }

    [Fact]
    public async Task A_process_of_the_release_before_cannot_write_an_order_and_can_delete_one()
    {
        await using var database = await BeforeAsync();
        await using var shop = NpgsqlDataSource.Create(database.Superuser);
        await ExecuteAsync(shop, Before);
        await MigrateAsync(database, null);
        await using var old = NpgsqlDataSource.Create(database.Commands);
        var before = await RowsAsync(shop, "SELECT o::text FROM shop.orders AS o ORDER BY id");

        (await RefusedAsync(old, EarlierOrder)).ShouldBe("outbox_order_as_sold_check");
        (await RefusedAsync(old, EarlierAddress)).ShouldBe("outbox_order_as_sold_check");
        (await RowsAsync(shop, "SELECT o::text FROM shop.orders AS o ORDER BY id")).ShouldBe(before);

        await ExecuteAsync(old, EarlierDeletion);
        (await RowsAsync(shop, "SELECT id::text FROM shop.orders")).ShouldBe(["1"]);
        // What was in the outbox before the migration still reaches the log.
        await ExecuteAsync(old, "DELETE FROM shop.outbox WHERE data::text = '{\"status\":\"Cancelled\"}'");
    }

    // The statements of the release before, as it sends them.
    private const string EarlierOrder =
        """
        INSERT INTO shop.orders (id, delivered_date, order_date, shipped_date, shipping_address, status, total_amount,
            tracking_number, user_id, version)
        VALUES (3, NULL, now(), NULL, 'Here', 'Pending', 1, NULL, 1, 1);
        INSERT INTO shop.order_items (order_id, product_id, quantity, total_price, unit_price) VALUES (3, 1, 1, 1, 1);
        INSERT INTO shop.outbox (type, resource, aggregate_id, version, trace_parent, actor, data)
        VALUES ('apexshop.order.placed', 'orders', 3, 1, NULL, 'web', '{"id":3,"userId":1,"status":"Pending",
            "items":[{"productId":1,"quantity":1,"unitPrice":1.00,"totalPrice":1.00}],"version":1}')
        """;

    private const string EarlierAddress =
        """
        UPDATE shop.orders SET shipping_address = 'There', version = 3 WHERE id = 2 AND version = 2;
        INSERT INTO shop.outbox (type, resource, aggregate_id, version, trace_parent, actor, data)
        VALUES ('apexshop.order.updated', 'orders', 2, 3, NULL, 'web', '{"id":2,"userId":1,"status":"Pending",
            "items":[{"productId":1,"quantity":1,"unitPrice":1.00,"totalPrice":1.00}],"version":3}')
        """;

    private const string EarlierDeletion =
        """
        DELETE FROM shop.orders WHERE id = 2 AND version = 2;
        INSERT INTO shop.outbox (type, resource, aggregate_id, version, trace_parent, actor, data)
        VALUES ('apexshop.order.deleted', 'orders', 2, 3, NULL, 'web', '{"id":2,"version":3}')
        """;

    // Two events are in the log, the others still in the outbox; the second order was imported without any.
    private const string Before =
        """
        INSERT INTO shop.categories (id, name, is_active, created_date, version) VALUES (1, 'Lights', true, now(), 1);
        INSERT INTO shop.products (id, name, price, stock, is_active, is_featured, category_id, created_date, version)
        VALUES (1, 'Lamp', 1, 1, true, false, 1, now(), 1);
        INSERT INTO shop.users (id, email, first_name, last_name, password_hash, created_date, is_active, version)
        VALUES (1, 'a@example.com', 'A', 'B', '', now(), true, 1);
        INSERT INTO shop.orders (id, user_id, order_date, status, total_amount, shipping_address, version)
        VALUES (1, 1, now(), 'Cancelled', 1, 'Here', 4), (2, 1, now(), 'Pending', 1, 'Here', 1);
        INSERT INTO shop.order_items (order_id, product_id, quantity, unit_price, total_price)
        VALUES (1, 1, 1, 1, 1), (2, 1, 1, 1, 1);
        INSERT INTO shop.events
            (position, previous, event_id, type, resource, aggregate_id, version, time, actor, data)
        VALUES (1, 0, gen_random_uuid(), 'apexshop.order.placed', 'orders', 1, 1, '2026-11-20T08:30:00.12Z', 'users/1',
            '{"status":"Pending"}'),
            (2, 1, gen_random_uuid(), 'apexshop.order.status-changed', 'orders', 1, 2, '2026-11-20T08:40:00Z', 'web',
            '{"status":"Processing"}');
        INSERT INTO shop.outbox (type, resource, aggregate_id, version, time, actor, data)
        VALUES ('apexshop.order.status-changed', 'orders', 1, 3, '2026-11-20T08:50:00Z', NULL,
            '{"status":"Shipped"}'),
            ('apexshop.order.status-changed', 'orders', 1, 4, '2026-11-20T09:00:00Z', 'apexshop',
            '{"status":"Cancelled"}');
        """;

    private static Task<TestDatabase> BeforeAsync() =>
        TestDatabase.CreateAsync("shop_before_names", db => MigrateAsync(db, "20261121090000_LogIdentities"));

    private static string Statement(string text, string start)
    {
        var from = text.IndexOf(start, StringComparison.Ordinal);
        from.ShouldBePositive(start);
        return text[from..text.IndexOf(';', from)];
    }

    private static Task<List<string>> LockedAsync(NpgsqlDataSource shop, bool isGranted) => RowsAsync(
        shop,
        $"""
        SELECT relation::regclass::text FROM pg_locks WHERE granted = {isGranted} AND locktype = 'relation'
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """);

    private static async Task MigrateAsync(TestDatabase database, string? target)
    {
        await using var db = ShopMigration.CreateContext(database.ShopOwner);
        await db.Database.MigrateAsync(target);
    }

    private static async Task ExecuteAsync(NpgsqlDataSource shop, string sql)
    {
        await using var command = shop.CreateCommand(sql);
        await command.ExecuteNonQueryAsync();
    }

    private static async Task<string?> RefusedAsync(NpgsqlDataSource shop, string sql)
    {
        var refused = await Should.ThrowAsync<PostgresException>(() => ExecuteAsync(shop, sql));
        refused.SqlState.ShouldBe(PostgresErrorCodes.CheckViolation);
        return refused.ConstraintName;
    }

    private static async Task<List<string>> RowsAsync(NpgsqlDataSource shop, string sql)
    {
        await using var command = shop.CreateCommand(sql);
        await using var reader = await command.ExecuteReaderAsync();
        var rows = new List<string>();
        while (await reader.ReadAsync()) rows.Add(reader.GetString(0));
        return rows;
    }
}
