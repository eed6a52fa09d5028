using Npgsql;

namespace ApexShop.Projector.Operations;

/// <summary>A lock that one Projector at a time holds; it ends with its session, also after a crash.</summary>
internal sealed class SessionLock : IAsyncDisposable
{
    private SessionLock(NpgsqlConnection connection) => Connection = connection;

    public NpgsqlConnection Connection { get; }

    /// <summary>Null when it is taken: the statement tries to take it and returns whether it did.</summary>
    public static async Task<SessionLock?> TryTakeAsync(
        DedicatedConnections connections, string takeSql, CancellationToken ct)
    {
        var session = new SessionLock(await connections.OpenAsync(ct));
        try
        {
            await using var command = new NpgsqlCommand(takeSql, session.Connection);
            if ((bool)(await command.ExecuteScalarAsync(ct))!) return session;
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
    }
}
