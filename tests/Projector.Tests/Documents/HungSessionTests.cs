using System.Data;
using System.Diagnostics;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Operations;
using ApexShop.Projector.Operations.Rebuilding;
using ApexShop.Projector.Tests.Harness;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Projector.Tests.Documents;

/// <summary>A process that hangs in a transaction keeps its session, because its kernel still responds.</summary>
public sealed class HungSessionTests(ReadStore store) : ProjectorTest(store)
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task A_session_that_sends_nothing_more_loses_its_locks()
    {
        await using var database = ReadDatabase.Create(Store.Database.Projector);
        var hung = await LockAsync(database);

        await Projector.ApplyAsync(History.Product(1, "Pen")).WaitAsync(limit);

        await Should.ThrowAsync<NpgsqlException>(async () => await hung.DisposeAsync());
    }

    [Fact]
    public async Task A_session_that_receives_nothing_more_loses_its_locks()
    {
        await using var database = ReadDatabase.Create(Store.Database.Projector);
        await using var hung = await LockAsync(database);
        await using var read = new NpgsqlCommand(
            "SELECT repeat('x', 1000000) FROM generate_series(1, 1000)", hung);
        var rows = await read.ExecuteReaderAsync(CommandBehavior.SequentialAccess);

        await Projector.ApplyAsync(History.Product(1, "Pen")).WaitAsync(limit);

        await Should.ThrowAsync<NpgsqlException>(async () => await rows.DisposeAsync());
    }

    [Fact]
    public async Task A_rebuild_that_hangs_at_the_switch_loses_its_locks()
    {
        await using var hung = await new DedicatedConnections(Store.Database.Projector)
            .OpenAsync(CancellationToken.None);
        var (locked, released) = (new TaskCompletionSource(), new TaskCompletionSource());
        var switching = new TableSwitch(hung, TimeProvider.System).TryAsync(
            0, () => HangAsync(locked, released.Task), () => Task.CompletedTask, null, CancellationToken.None);
        await locked.Task.WaitAsync(limit);

        await Projector.ApplyAsync(History.Product(1, "Pen")).WaitAsync(limit);

        released.SetResult();
        await switching.ContinueWith(_ => { }, TaskScheduler.Default);
    }

    [Fact]
    public async Task A_rebuild_that_hangs_in_a_copy_loses_its_lock_to_the_next_one_or_to_a_migration()
    {
        var connections = new DedicatedConnections(Store.Database.Projector);
        foreach (var next in (Func<Task>[])[() => TakenAsync(connections), MigrateAsync])
        {
            await using var hung = await connections.OpenAsync(CancellationToken.None);
            await ExecuteAsync(hung, """
                SELECT pg_advisory_lock(hashtext('read.rebuilds')),
                    pg_advisory_lock_shared(hashtext('read.schema_versions'))
                """);
            var copy = await hung.BeginTextImportAsync("COPY read.rebuilds (status) FROM STDIN");

            await next().WaitAsync(limit);

            await Should.ThrowAsync<NpgsqlException>(async () => await copy.DisposeAsync());
        }
    }

    [Fact]
    public async Task A_rebuild_that_works_keeps_its_lock_also_after_the_loss_of_another_session()
    {
        var connections = new DedicatedConnections(Store.Database.Projector);
        await using var held = (await RebuildLock.TryTakeAsync(connections, CancellationToken.None)).ShouldNotBeNull();
        const string heartbeats = """
            FROM pg_stat_activity
            WHERE application_name = 'apexshop-projector-heartbeat' AND datname = current_database()
            """;
        await Store.ExecuteAsync($"SELECT pg_terminate_backend(pid, 5000) {heartbeats}");
        await Eventually.Holds(
            () => Store.ScalarAsync<bool>($"SELECT EXISTS (SELECT {heartbeats})"), "it has another one");

        // Longer than a session without a heartbeat has its locks.
        for (var began = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(10);)
        {
            (await RebuildLock.TryTakeAsync(connections, CancellationToken.None)).ShouldBeNull();
            await Task.Delay(100);
        }

        await ExecuteAsync(held.Connection, "SELECT 1");
    }

    private static Task TakenAsync(DedicatedConnections connections) => Eventually.Holds(
        async () =>
        {
            await using var taken = await RebuildLock.TryTakeAsync(connections, CancellationToken.None);
            return taken is not null;
        },
        "the lock is taken");

    private Task MigrateAsync() => ReadSchema.MigrateAsync(Store.Database.Projector, CancellationToken.None);

    private static async Task ExecuteAsync(NpgsqlConnection connection, string sql)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }

    private static async Task<bool> HangAsync(TaskCompletionSource locked, Task released)
    {
        locked.SetResult();
        await released;
        return false;
    }

    private static async Task<NpgsqlConnection> LockAsync(NpgsqlDataSource database)
    {
        var connection = await database.OpenConnectionAsync();
        await using var command = new NpgsqlCommand("BEGIN; SELECT FROM read.projection_state FOR UPDATE", connection);
        await command.ExecuteNonQueryAsync();
        return connection;
    }
}
