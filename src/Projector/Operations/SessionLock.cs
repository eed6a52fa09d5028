using ApexShop.Projector.Documents;
using Npgsql;

namespace ApexShop.Projector.Operations;

/// <summary>
/// A lock that one Projector at a time holds. It ends with its session: after a crash, and when another
/// Projector requests it after the one that holds it hung for some seconds.
/// </summary>
internal sealed class SessionLock : IAsyncDisposable
{
    private readonly SessionHeartbeat heartbeat;

    private SessionLock(NpgsqlConnection connection, DedicatedConnections connections)
    {
        Connection = connection;
        heartbeat = new SessionHeartbeat(connections, connection.ProcessID);
    }

    public NpgsqlConnection Connection { get; }

    /// <summary>Null when it is taken: the statement tries to take it and returns whether it did.</summary>
    public static async Task<SessionLock?> TryTakeAsync(
        DedicatedConnections connections, string takeSql, CancellationToken ct)
    {
        var session = new SessionLock(await connections.OpenAsync(ct), connections);
        try
        {
            await using var take = new NpgsqlCommand(takeSql, session.Connection);
            var isTaken = (bool)(await take.ExecuteScalarAsync(ct))!;
            if (!isTaken && await HungLockCleanup.RunAsync(session.Connection, ct))
                isTaken = (bool)(await take.ExecuteScalarAsync(ct))!;
            if (isTaken)
            {
                await session.heartbeat.StartAsync(ct);
                return session;
            }
        }
        catch
        {
            await session.DisposeAsync();
            throw;
        }

        // Of several locks one may be taken.
        await session.DisposeAsync();
        return null;
    }

    // Closing the connection, which is not pooled, ends the session, but the server may do that later.
    public async ValueTask DisposeAsync()
    {
        try
        {
            await using var command = new NpgsqlCommand("SELECT pg_advisory_unlock_all()", Connection);
            await command.ExecuteNonQueryAsync(CancellationToken.None);
        }
        catch (Exception lost) when (lost is NpgsqlException or InvalidOperationException)
        {
            // A lost session holds no lock.
        }

        await Connection.DisposeAsync();
        await heartbeat.DisposeAsync();
    }
}
