using System.Diagnostics;
using System.Globalization;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Projector.Tests.Documents;

public sealed class SchemaTests(ReadStore store) : IClassFixture<ReadStore>
{
    [Fact]
    public async Task Each_file_is_applied_once_however_many_migrate_at_a_time()
    {
        await using var database = await TestDatabase.CreateAsync("empty", _ => Task.CompletedTask);

        await Task.WhenAll(
            Enumerable.Range(0, 4).Select(_ => ReadSchema.MigrateAsync(database.Projector, CancellationToken.None)));

        var files = typeof(ReadSchema).Assembly.GetManifestResourceNames()
            .Where(name => name.EndsWith(".sql", StringComparison.Ordinal))
            .Select(name => name[(name.IndexOf(".Schema.", StringComparison.Ordinal) + ".Schema.".Length)..])
            .Select(name => int.Parse(name[..3], CultureInfo.InvariantCulture))
            .Order();
        await using var look = NpgsqlDataSource.Create(database.Superuser);
        await using var versions = look.CreateCommand(
            "SELECT string_agg(version::text, ',' ORDER BY version) FROM read.schema_versions");
        (await versions.ExecuteScalarAsync()).ShouldBe(string.Join(',', files));
    }

    [Fact]
    public async Task A_migration_waits_for_a_server_that_takes_no_connection_yet()
    {
        await using var database = await TestDatabase.CreateAsync("unavailable", _ => Task.CompletedTask);
        var settings = new NpgsqlConnectionStringBuilder(database.Projector);
        using var way = new TcpProxy(settings.Port);
        settings.Port = way.Port;
        way.Cut();

        var migration = ReadSchema.MigrateAsync(settings.ConnectionString, CancellationToken.None);
        await Task.Delay(TimeSpan.FromSeconds(1.5));
        migration.IsCompleted.ShouldBeFalse("it tries again");
        way.Restore();

        await migration.WaitAsync(TimeSpan.FromSeconds(30));
    }

    [Fact]
    public async Task A_migration_with_a_wrong_password_ends_at_once()
    {
        await using var database = await TestDatabase.CreateAsync("refused", _ => Task.CompletedTask);
        var settings = new NpgsqlConnectionStringBuilder(database.Projector) { Password = "wrong" };

        var refused = await Should.ThrowAsync<PostgresException>(
            () => ReadSchema.MigrateAsync(settings.ConnectionString, CancellationToken.None)
                .WaitAsync(TimeSpan.FromSeconds(30)));

        refused.SqlState.ShouldBe(PostgresErrorCodes.InvalidPassword);
    }

    [Fact]
    public async Task A_migration_that_waits_for_a_reader_delays_no_query()
    {
        await using var database = await TestDatabase.CreateAsync(
            "read_to_migrate", one => ReadSchema.MigrateAsync(one.Projector, CancellationToken.None));
        await using var other = NpgsqlDataSource.Create(database.Superuser);
        await ExecuteAsync(
            other,
            "DROP TABLE read.changes; DROP SEQUENCE read.revisions CASCADE;"
                + "DELETE FROM read.schema_versions WHERE version = 9");
        await using var reader = await other.OpenConnectionAsync();
        await using var backup = await reader.BeginTransactionAsync();
        await using (var reading = new NpgsqlCommand("SELECT count(*) FROM read.products", reader))
            await reading.ExecuteScalarAsync();
        var migration = ReadSchema.MigrateAsync(database.Projector, CancellationToken.None);

        for (var began = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(4);)
        {
            await ExecuteAsync(other, "SET statement_timeout = '12s'; SELECT count(*) FROM read.products");
            await Task.Delay(20);
        }

        migration.IsCompleted.ShouldBeFalse("the reader has not ended");
        await backup.RollbackAsync();
        await migration.WaitAsync(TimeSpan.FromSeconds(60));
        await ExecuteAsync(other, "SELECT count(*) FROM read.changes");
    }

    [Fact]
    public async Task A_migration_whose_program_was_killed_frees_its_locks_before_its_statement_ends()
    {
        await using var database = await TestDatabase.CreateAsync("killed", _ => Task.CompletedTask);
        await using var superuser = NpgsqlDataSource.Create(database.Superuser);
        // Its first CREATE TABLE does not end.
        await ExecuteAsync(superuser, """
            CREATE FUNCTION public.hold() RETURNS event_trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_sleep(3600); END $$;
            CREATE EVENT TRIGGER hold ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION public.hold()
            """);
        var settings = new NpgsqlConnectionStringBuilder(database.Projector);
        using var way = new TcpProxy(settings.Port);
        settings.Port = way.Port;
        var migration = ReadSchema.MigrateAsync(settings.ConnectionString, CancellationToken.None);
        await Eventually.Holds(async () => await SessionsAsync("wait_event = 'PgSleep'") == 1, "the statement runs");

        way.Cut();

        await Eventually.Holds(async () => await SessionsAsync("usename = 'projector'") == 0, "its session has ended");
        await Should.ThrowAsync<NpgsqlException>(() => migration);

        async Task<int> SessionsAsync(string condition)
        {
            await using var command = superuser.CreateCommand(
                $"SELECT count(*)::integer FROM pg_stat_activity WHERE datname = current_database() AND {condition}");
            return (int)(await command.ExecuteScalarAsync())!;
        }
    }

    [Theory]
    [InlineData("pg_control_system", "()")]
    [InlineData("pg_walfile_name", "(pg_lsn)")]
    public async Task A_migration_fails_without_a_right_that_the_origin_needs(string function, string parameters)
    {
        await using var database = await TestDatabase.CreateAsync("empty", _ => Task.CompletedTask);
        await using var superuser = NpgsqlDataSource.Create(database.Superuser);
        await ExecuteAsync(superuser, $"REVOKE EXECUTE ON FUNCTION {function}{parameters} FROM PUBLIC");

        var refused = await Should.ThrowAsync<PostgresException>(
            () => ReadSchema.MigrateAsync(database.Projector, CancellationToken.None));

        refused.MessageText.ShouldBe($"permission denied for function {function}");
        await ExecuteAsync(superuser, $"GRANT EXECUTE ON FUNCTION {function}{parameters} TO projector");
        await ReadSchema.MigrateAsync(database.Projector, CancellationToken.None);
    }

    [Fact]
    public async Task Each_resource_has_a_table_and_a_checkpoint()
    {
        foreach (var resource in Resource.Names)
        {
            (await store.ScalarAsync<long>($"SELECT count(*) FROM read.{resource}")).ShouldBe(0, resource);
            var sql = $"SELECT count(*) FROM read.checkpoints WHERE resource = '{resource}'";
            (await store.ScalarAsync<long>(sql)).ShouldBe(1, resource);
        }
    }

    [Theory]
    [InlineData("SELECT * FROM shop.anything")]
    [InlineData("CREATE TABLE shop.mine (id integer)")]
    [InlineData("CREATE TABLE public.mine (id integer)")]
    public async Task The_projector_is_refused_outside_schema_read(string sql) =>
        (await RefusalAsync(store.Database.Projector, sql)).ShouldBe(PostgresErrorCodes.InsufficientPrivilege);

    [Theory]
    [InlineData("INSERT INTO read.products (id, version, revision) VALUES (1, 1, 1)")]
    [InlineData("UPDATE read.checkpoints SET position = 1")]
    [InlineData("DELETE FROM read.segments")]
    [InlineData("CREATE TABLE read.mine (id integer)")]
    public async Task The_queries_cannot_write_even_in_a_read_write_transaction(string sql) =>
        (await RefusalAsync(store.Database.Queries, sql)).ShouldBe(PostgresErrorCodes.InsufficientPrivilege);

    [Fact]
    public async Task The_queries_can_read_every_table_of_the_schema()
    {
        await using var queries = NpgsqlDataSource.Create(store.Database.Queries);
        await using var count = queries.CreateCommand("""
            SELECT count(*) FROM pg_tables WHERE schemaname = 'read'
                AND NOT has_table_privilege(schemaname || '.' || tablename, 'SELECT')
            """);
        (await count.ExecuteScalarAsync()).ShouldBe(0L);
    }

    private static async Task<string> RefusalAsync(string connectionString, string sql)
    {
        await using var source = NpgsqlDataSource.Create(connectionString);
        await using var connection = await source.OpenConnectionAsync();
        await using var writable = new NpgsqlCommand("SET default_transaction_read_only = off", connection);
        await writable.ExecuteNonQueryAsync();
        await using var refused = new NpgsqlCommand(sql, connection);
        return (await Should.ThrowAsync<PostgresException>(() => refused.ExecuteNonQueryAsync())).SqlState;
    }

    private static async Task ExecuteAsync(NpgsqlDataSource database, string sql)
    {
        await using var command = database.CreateCommand(sql);
        await command.ExecuteNonQueryAsync();
    }
}
