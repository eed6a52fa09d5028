using ApexShop.Commands.Api.Persistence;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Outbox;

/// <summary>
/// A migrated database and a few ways to write to its outbox, ringing as a process does, and to look at its log.
/// </summary>
internal sealed class LogDatabase : IAsyncDisposable
{
    private readonly TestDatabase database;
    private readonly NpgsqlDataSource superuser;

    private LogDatabase(TestDatabase database)
    {
        this.database = database;
        superuser = NpgsqlDataSource.Create(database.Superuser);
        Writer = NpgsqlDataSource.Create(database.Commands + ";Maximum Pool Size=40");
    }

    public string Commands => database.Commands;

    /// <summary>In the role of Commands.Api.</summary>
    public NpgsqlDataSource Writer { get; }

    /// <param name="server">The superuser's connection string of a server; null for that of all tests.</param>
    public static async Task<LogDatabase> CreateAsync(string? server = null) =>
        new(
            await TestDatabase.CreateAsync(
                "shop", shop => ShopMigration.ApplyAsync(shop.ShopOwner, CancellationToken.None), server));

    public async Task WriteAsync(string resource, int aggregateId, long version, int bytes = 0)
    {
        await using var connection = await Writer.OpenConnectionAsync();
        await WriteAsync(connection, resource, aggregateId, version, bytes);
    }

    public static async Task WriteAsync(
        NpgsqlConnection connection, string resource, int aggregateId, long version, int bytes = 0)
    {
        await using var command = new NpgsqlCommand(
            """
            WITH written AS (
                INSERT INTO shop.outbox (type, resource, aggregate_id, version, data)
                VALUES ('apexshop.test.changed', $1, $2, $3, json_build_object('id', $2, 'version', $3, 'filling',
                    repeat('x', $4)))
            )
            SELECT pg_notify('apexshop_outbox', '')
            """, connection)
        {
            Parameters =
            {
                new() { Value = resource }, new() { Value = aggregateId }, new() { Value = version },
                new() { Value = bytes },
            },
        };
        await command.ExecuteNonQueryAsync();
    }

    /// <summary>Many rows in one transaction, ids and versions counting from 1.</summary>
    public Task FillAsync(string resource, int count) => ExecuteAsync(
        $$"""
        INSERT INTO shop.outbox (type, resource, aggregate_id, version, data)
        SELECT 'apexshop.test.changed', '{{resource}}', n, 1, json_build_object('id', n, 'version', 1, 'filling',
            repeat('x', 300))
        FROM generate_series(1, {{count}}) AS n;
        NOTIFY apexshop_outbox;
        """);

    public async Task ExecuteAsync(string sql)
    {
        await using var command = superuser.CreateCommand(sql);
        command.CommandTimeout = 120;
        await command.ExecuteNonQueryAsync();
    }

    public async Task<T> ScalarAsync<T>(string sql)
    {
        await using var command = superuser.CreateCommand(sql);
        return (T)(await command.ExecuteScalarAsync())!;
    }

    public async Task<List<T>> RowsAsync<T>(string sql, Func<NpgsqlDataReader, T> read)
    {
        await using var command = superuser.CreateCommand(sql);
        await using var reader = await command.ExecuteReaderAsync();
        var rows = new List<T>();
        while (await reader.ReadAsync()) rows.Add(read(reader));
        return rows;
    }

    public Task<long> HeadAsync() => ScalarAsync<long>("SELECT position FROM shop.log_positions WHERE name = 'head'");

    public Task<long> PublishedAsync() =>
        ScalarAsync<long>("SELECT position FROM shop.log_positions WHERE name = 'published'");

    public async Task<bool> IsPublishedAsync(long position) => await PublishedAsync() >= position;

    /// <summary>
    /// Kills the session that holds the leader's lease; the answer is 0 when there is none, or none in that state.
    /// </summary>
    public async Task<int> TerminateLeaderAsync(string state = "true") => (int)await ScalarAsync<long>(
        $"""
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity JOIN shop.leader
            ON (pid, backend_start) = (holder, holder_since)
        WHERE {state}
        """);

    /// <summary>Kills the publisher's session while it waits to move the cursor.</summary>
    public async Task<int> TerminatePublisherAsync() => (int)await ScalarAsync<long>(
        """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%''published''%'
            AND pid <> pg_backend_pid()
        """);

    /// <summary>
    /// The log is whole: positions from 1 without gap or double, each naming its predecessor in the resource, and each
    /// aggregate's versions in order; the outbox is empty.
    /// </summary>
    public async Task ShouldBeWholeAsync(long count)
    {
        var log = await RowsAsync(
            "SELECT position, previous, resource, aggregate_id, version FROM shop.events ORDER BY position",
            row => (
                Position: row.GetInt64(0), Previous: row.GetInt64(1), Resource: row.GetString(2), Id: row.GetInt32(3),
                Version: row.GetInt64(4)));
        log.Select(entry => entry.Position).ShouldBe(Enumerable.Range(1, (int)count).Select(n => (long)n));
        foreach (var stream in log.GroupBy(entry => entry.Resource))
            stream.Select(entry => entry.Previous).ShouldBe([0, .. stream.SkipLast(1).Select(entry => entry.Position)]);
        foreach (var aggregate in log.GroupBy(entry => (entry.Resource, entry.Id)))
            aggregate.Select(entry => entry.Version)
                .ShouldBe(Enumerable.Range(1, aggregate.Count()).Select(n => (long)n));
        (await ScalarAsync<long>("SELECT count(*) FROM shop.outbox")).ShouldBe(0);
    }

    public async ValueTask DisposeAsync()
    {
        await Writer.DisposeAsync();
        await superuser.DisposeAsync();
        await database.DisposeAsync();
    }
}
