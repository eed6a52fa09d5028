using ApexShop.Hosting;
using ApexShop.Projector.Documents;
using Npgsql;

namespace ApexShop.Projector.Operations;

/// <summary>
/// Shows that the process of a session with a lock does not hang (<see cref="HungLockCleanup"/>): PostgreSQL ends a
/// session that sends nothing, and its locks.
/// </summary>
internal sealed class SessionHeartbeat(DedicatedConnections connections, int processId) : IAsyncDisposable
{
    private const string BeatSql =
        $"SELECT pg_try_advisory_lock_shared(hashtext('{HungLockCleanup.Heartbeat}'), $1)";

    private static readonly TimeSpan interval = TimeSpan.FromMilliseconds(ReadDatabase.HangLimit / 4);

    private readonly CancellationTokenSource ended = new();
    private NpgsqlConnection? connection;
    private Task beating = Task.CompletedTask;

    public async Task StartAsync(CancellationToken ct)
    {
        await BeatAsync(ct);
        beating = RunAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await ended.CancelAsync();
        await beating;
        await CloseAsync();
        ended.Dispose();
    }

    private async Task RunAsync()
    {
        while (true)
        {
            await Task.Delay(interval, TimeProvider.System, ended.Token).WithoutThrowing();
            if (ended.IsCancellationRequested) return;
            // Not only after the interval: a session with a lock and without a heartbeat is one that hangs.
            if (!await TryBeatAsync()) await TryBeatAsync();
        }
    }

    // After a failure the next beat opens another session.
    private async Task<bool> TryBeatAsync()
    {
        try
        {
            await BeatAsync(ended.Token);
            return true;
        }
        catch (Exception)
        {
            await CloseAsync();
            return false;
        }
    }

    private async Task BeatAsync(CancellationToken ct)
    {
        connection ??= await connections.OpenHeartbeatAsync(ct);
        await using var command = new NpgsqlCommand(BeatSql, connection);
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = processId });
        await command.ExecuteNonQueryAsync(ct);
    }

    private async Task CloseAsync()
    {
        var closing = connection;
        connection = null;
        if (closing is not null) await closing.DisposeAsync();
    }
}
