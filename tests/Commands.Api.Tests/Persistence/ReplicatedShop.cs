using ApexShop.Commands.Api.Persistence;
using ApexShop.Hosting;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Mvc.Testing;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Persistence;

/// <summary>The API on a PostgreSQL of its own, whose commits can be made to wait for a replica.</summary>
internal sealed class ReplicatedShop : IAsyncLifetime
{
    private PrivatePostgres server = null!;
    private TestDatabase database = null!;
    private NpgsqlDataSource superuser = null!;
    private WebApplicationFactory<Program> factory = null!;

    public HttpClient Http { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        server = await PrivatePostgres.StartAsync();
        database = await TestDatabase.CreateAsync(
            "shop", db => ShopMigration.ApplyAsync(db.ShopOwner, CancellationToken.None), server.Superuser);
        superuser = NpgsqlDataSource.Create(database.Superuser);
        factory = CommandsApp.Start(database.Commands);
        Http = CommandsApp.Client(factory, CommandsApp.Key);
        await Eventually.Holds(
            async () => (await Http.GetAsync("/health/ready")).IsSuccessStatusCode, "the process is ready");
    }

    public async Task DisposeAsync()
    {
        Http.Dispose();
        await factory.DisposeAsync();
        await superuser.DisposeAsync();
        await server.DisposeAsync();
    }

    public async Task LoseReplicaAsync()
    {
        await ExecuteAsync("ALTER SYSTEM SET synchronous_standby_names = 'absent'");
        await ExecuteAsync("SELECT pg_reload_conf()");
        await Eventually.Holds(CommitsWaitAsync, "commits wait for the replica");
    }

    public async Task RegainReplicaAsync()
    {
        await ExecuteAsync("ALTER SYSTEM RESET synchronous_standby_names");
        await ExecuteAsync("SELECT pg_reload_conf()");
    }

    /// <summary>Adds an event that others see before a replica has it, as when a commit no longer waits.</summary>
    public Task AddVisibleEventAsync() => ExecuteAsync(
        """
        BEGIN;
        SET LOCAL synchronous_commit = local;
        WITH head AS (UPDATE shop.log_positions SET position = position + 1 WHERE name = 'head' RETURNING position)
        INSERT INTO shop.events (position, previous, event_id, type, resource, aggregate_id, version, time, data)
        SELECT position, 0, gen_random_uuid(), 'apexshop.user.created', 'users', 1, 1, now(), '{"id":1,"version":1}'
        FROM head;
        NOTIFY apexshop_log;
        COMMIT
        """);

    /// <summary>How many commits wait.</summary>
    public Task<long> WaitingAsync() =>
        ScalarAsync<long>("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");

    public async Task<T> ScalarAsync<T>(string sql)
    {
        await using var command = superuser.CreateCommand(sql);
        return (T)(await command.ExecuteScalarAsync())!;
    }

    // PostgreSQL warns that a commit whose wait was cancelled is not replicated.
    private async Task<bool> CommitsWaitAsync()
    {
        await using var connection = new NpgsqlConnection($"{database.Superuser};Pooling=false;Command Timeout=1");
        await connection.OpenAsync();
        var isWarned = false;
        connection.Notice += (_, notice) =>
            isWarned |= notice.Notice.MessageText.Contains("synchronous replication", StringComparison.Ordinal);
        await using var command = new NpgsqlCommand($"SELECT {PrimaryCheck.Sql}", connection);
        try
        {
            await command.ExecuteNonQueryAsync();
        }
        catch (NpgsqlException)
        {
            // It was cancelled before it waited.
            return false;
        }

        return isWarned;
    }

    private async Task ExecuteAsync(string sql)
    {
        await using var command = superuser.CreateCommand(sql);
        await command.ExecuteNonQueryAsync();
    }
}
