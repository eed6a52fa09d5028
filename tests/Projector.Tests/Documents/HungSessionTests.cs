using System.Data;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Operations;
using ApexShop.Projector.Operations.Rebuilding;
using ApexShop.Projector.Tests.Harness;
using Npgsql;

namespace ApexShop.Projector.Tests.Documents;

/// <summary>A process that hangs in a transaction keeps its session, because its kernel still responds.</summary>
public sealed class HungSessionTests(ReadStore store) : ProjectorTest(store)
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(15);

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
            [], 0, _ => HangAsync(locked, released.Task), () => Task.CompletedTask, null, CancellationToken.None);
        await locked.Task.WaitAsync(limit);

        await Projector.ApplyAsync(History.Product(1, "Pen")).WaitAsync(limit);

        released.SetResult();
        await switching.ContinueWith(_ => { }, TaskScheduler.Default);
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
