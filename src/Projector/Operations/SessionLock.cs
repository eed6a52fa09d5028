using Npgsql;

namespace ApexShop.Projector.Operations;

/// <summary>What one Projector at a time has. It belongs to a session of its own and ends with it, also when the process is killed.</summary>
internal sealed class SessionLock : IAsyncDisposable
{
    private SessionLock(NpgsqlConnection connection) => Connection = connection;

    public NpgsqlConnection Connection { get; }

    /// <summary>Null when somebody has it: when the statement, which tries to take it, says false.</summary>
    public static async Task<SessionLock?> TryTakeAsync(DedicatedConnections sessions, string takeSql, CancellationToken ct)
    {
        var connection = await sessions.OpenAsync(ct);
        try
        {
            await using var command = new NpgsqlCommand(takeSql, connection);
            if ((bool)(await command.ExecuteScalarAsync(ct))!) return new SessionLock(connection);
        }
        catch
        {
            await connection.DisposeAsync();
            throw;
        }

        await connection.DisposeAsync();
        return null;
    }

    // The connection is of no pool: closing it ends the session, but the server takes its time about it.
    public async ValueTask DisposeAsync()
    {
        try
        {
            await using var command = new NpgsqlCommand("SELECT pg_advisory_unlock_all()", Connection);
            await command.ExecuteNonQueryAsync(CancellationToken.None);
        }
        catch (Exception lost) when (lost is NpgsqlException or InvalidOperationException)
        {
            // A session that was lost holds nothing.
        }

        await Connection.DisposeAsync();
    }
}
