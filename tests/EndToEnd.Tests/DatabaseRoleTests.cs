using ApexShop.EndToEnd.Tests.Comparison;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.EndToEnd.Tests;

/// <summary>A migrated database without any running process.</summary>
public sealed class MigratedDatabase : IAsyncLifetime
{
    public TestDatabase Database { get; private set; } = null!;

    public async Task InitializeAsync() => Database = await TestDatabase.CreateAsync("shop", ShopPrograms.MigrateAsync);

    public async Task DisposeAsync() => await Database.DisposeAsync();
}

/// <summary>The database itself limits every role to its own schemas.</summary>
public sealed class DatabaseRoleTests(MigratedDatabase migrated) : IClassFixture<MigratedDatabase>
{
    // The queries' role is read-only by default; a session that turns this off still has no right to write.
    private const string Writing = "-c default_transaction_read_only=off";

    private readonly TestDatabase database = migrated.Database;

    [Theory]
    [InlineData("products")]
    [InlineData("categories")]
    [InlineData("orders")]
    [InlineData("reviews")]
    [InlineData("users")]
    [InlineData("segments")]
    [InlineData("checkpoints")]
    [InlineData("projection_state")]
    [InlineData("epoch")]
    [InlineData("parked_events")]
    public async Task Queries_can_read_a_document_table_and_write_nothing(string table)
    {
        await RunAsync(database.Queries, $"SELECT count(*) FROM read.{table}");

        await RefusedAsync(database.Queries, $"INSERT INTO read.{table} DEFAULT VALUES");
        await RefusedAsync(database.Queries, $"DELETE FROM read.{table}");
        await RefusedAsync(database.Queries, $"TRUNCATE read.{table}");
        await RefusedAsync(database.Queries, $"DROP TABLE read.{table}");
    }

    [Fact]
    public async Task Queries_are_read_only_before_any_right_is_checked() =>
        (await StateOfAsync(database.Queries, "DELETE FROM read.products"))
            .ShouldBe(PostgresErrorCodes.ReadOnlySqlTransaction);

    [Theory]
    [InlineData("UPDATE read.products SET version = 0")]
    [InlineData("UPDATE read.checkpoints SET position = 0")]
    [InlineData("CREATE TABLE read.intruder ()")]
    [InlineData("CREATE TABLE public.intruder ()")]
    [InlineData("CREATE SCHEMA intruder")]
    [InlineData("CREATE TEMPORARY TABLE intruder ()")]
    [InlineData("SELECT * FROM shop.users")]
    [InlineData("INSERT INTO shop.categories (id) VALUES (1)")]
    [InlineData("SELECT shop.uuid_v7()")]
    [InlineData("SELECT nextval('shop.product_ids')")]
    [InlineData("SET ROLE projector")]
    public Task Queries_can_do_nothing_else(string sql) => RefusedAsync(database.Queries, sql);

    [Theory]
    [InlineData("SELECT * FROM shop.products")]
    [InlineData("SELECT password_hash FROM shop.users")]
    [InlineData("SELECT * FROM shop.events")]
    [InlineData("DELETE FROM shop.outbox")]
    [InlineData("UPDATE shop.log_positions SET position = 0")]
    [InlineData("SELECT nextval('shop.order_ids')")]
    [InlineData("CREATE TABLE shop.intruder ()")]
    [InlineData("SET ROLE commands")]
    [InlineData("SET ROLE shop_owner")]
    public Task The_projector_cannot_see_the_write_side(string sql) => RefusedAsync(database.Projector, sql);

    [Theory]
    [InlineData("SELECT * FROM read.products")]
    [InlineData("SELECT * FROM read.checkpoints")]
    [InlineData("DELETE FROM read.orders")]
    [InlineData("CREATE TABLE read.intruder ()")]
    [InlineData("SET ROLE projector")]
    public Task Commands_cannot_see_the_read_side(string sql) => RefusedAsync(database.Commands, sql);

    [Theory]
    [InlineData("UPDATE shop.events SET version = 0")]
    [InlineData("DELETE FROM shop.events")]
    [InlineData("TRUNCATE shop.events")]
    [InlineData("DROP TABLE shop.events")]
    [InlineData("ALTER TABLE shop.products ADD COLUMN intruder int")]
    [InlineData("CREATE TABLE shop.intruder ()")]
    [InlineData("SET ROLE shop_owner")]
    public Task Commands_can_neither_rewrite_the_log_nor_change_the_schema(string sql) =>
        RefusedAsync(database.Commands, sql);

    [Fact]
    public async Task Commands_can_append_to_the_log_and_read_it()
    {
        await RunAsync(database.Commands, """
            INSERT INTO shop.events (position, previous, event_id, type, resource, aggregate_id, version, time, data)
            VALUES (1, 0, shop.uuid_v7(), 'apexshop.product.created', 'products', 1, 1, now(), '{}');
            SELECT * FROM shop.events
            """);
    }

    [Theory]
    [InlineData("queries")]
    [InlineData("projector", "read", "read_next", "read_previous")]
    [InlineData("commands", "shop")]
    public async Task The_catalog_gives_a_role_no_right_to_write_outside_its_schemas(
        string role, params string[] schemas) =>
        (await RightsAsync(role))
            .Where(right => !schemas.Contains(right[..right.IndexOf('.', StringComparison.Ordinal)]))
            .ShouldBeEmpty();

    [Fact]
    public async Task The_catalog_lists_the_rights_that_exist()
    {
        (await RightsAsync("commands")).ShouldContain("shop.products INSERT");
        (await RightsAsync("projector")).ShouldContain("read.products UPDATE");
        (await RightsAsync("commands")).ShouldNotContain("shop.events UPDATE");
        (await RightsAsync("commands")).ShouldNotContain("shop.events DELETE");
        (await RightsAsync("commands")).ShouldNotContain("shop.idempotency_keys UPDATE");
    }

    // SET writes to pg_settings, for its own session only.
    private Task<List<string>> RightsAsync(string role) => new Database(database.Superuser).RowsAsync("""
        SELECT format('%s.%s %s', n.nspname, c.relname, wanted)
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) wanted
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT LIKE 'pg\_temp%'
            AND has_table_privilege($1, c.oid, wanted)
            AND c.oid <> 'pg_settings'::regclass
        UNION ALL
        SELECT format('%s.%s %s', n.nspname, c.relname, wanted)
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        CROSS JOIN unnest(ARRAY['USAGE', 'UPDATE']) wanted
        WHERE c.relkind = 'S' AND has_sequence_privilege($1, c.oid, wanted)
        UNION ALL
        SELECT format('%s.* CREATE', nspname) FROM pg_namespace WHERE has_schema_privilege($1, oid, 'CREATE')
        UNION ALL
        SELECT format('database %s', wanted) FROM unnest(ARRAY['CREATE', 'TEMP']) wanted
        WHERE has_database_privilege($1, current_database(), wanted)
        UNION ALL
        SELECT format('role %s', rolname) FROM pg_roles WHERE rolname <> $1 AND pg_has_role($1, oid, 'MEMBER')
        """, role);

    private static async Task RefusedAsync(string connectionString, string sql) =>
        (await StateOfAsync(
            new NpgsqlConnectionStringBuilder(connectionString) { Options = Writing }.ConnectionString, sql))
            .ShouldBe(PostgresErrorCodes.InsufficientPrivilege, sql);

    private static async Task<string> StateOfAsync(string connectionString, string sql) =>
        (await Should.ThrowAsync<PostgresException>(() => RunAsync(connectionString, sql))).SqlState;

    private static async Task RunAsync(string connectionString, string sql)
    {
        await using var connection = new NpgsqlConnection(connectionString);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }
}
