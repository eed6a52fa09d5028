using ApexShop.Commands.Api.Persistence;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Outbox;

/// <summary>A migrated database and a few ways to write to its outbox and to look at its log.</summary>
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

    public static async Task<LogDatabase> CreateAsync() =>
        new(await TestDatabase.CreateAsync("shop", shop => ShopMigration.ApplyAsync(shop.ShopOwner, CancellationToken.None)));

    public async Task WriteAsync(string resource, int aggregateId, long version, int bytes = 0)
    {
        await using var connection = await Writer.OpenConnectionAsync();
        await WriteAsync(connection, resource, aggregateId, version, bytes);
    }

    public static async Task WriteAsync(NpgsqlConnection connection, string resource, int aggregateId, long version, int bytes = 0)
    {
        await using var command = new NpgsqlCommand(
            """
            INSERT INTO shop.outbox (type, resource, aggregate_id, version, data)
            VALUES ('apexshop.test.changed', $1, $2, $3, json_build_object('id', $2, 'version', $3, 'filling', repeat('x', $4)))
            """, connection)
        {
            Parameters = { new() { Value = resource }, new() { Value = aggregateId }, new() { Value = version }, new() { Value = bytes } },
        };
        await command.ExecuteNonQueryAsync();
    }

    /// <summary>Many rows in one transaction, ids and versions counting from 1.</summary>
    public Task FillAsync(string resource, int count) => ExecuteAsync(
        $$"""
        INSERT INTO shop.outbox (type, resource, aggregate_id, version, data)
        SELECT 'apexshop.test.changed', '{{resource}}', n, 1, json_build_object('id', n, 'version', 1, 'filling', repeat('x', 300))
        FROM generate_series(1, {{count}}) AS n
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

    public Task<long> PublishedAsync() => ScalarAsync<long>("SELECT position FROM shop.log_positions WHERE name = 'published'");

    public async Task<bool> IsPublishedAsync(long position) => await PublishedAsync() >= position;

    public async ValueTask DisposeAsync()
    {
        await Writer.DisposeAsync();
        await superuser.DisposeAsync();
        await database.DisposeAsync();
    }
}
