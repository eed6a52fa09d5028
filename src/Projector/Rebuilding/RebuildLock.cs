using ApexShop.Projector.ReadModels;
using Npgsql;

namespace ApexShop.Projector.Rebuilding;

/// <summary>
/// What one Projector at a time has while it exchanges tables. It belongs to a session and ends with it, also when the
/// process is killed. Migrations wait for it, since the tables of two schema versions must not be exchanged.
/// </summary>
internal sealed class RebuildLock : IAsyncDisposable
{
    private const string TakeSql = """
        SELECT pg_try_advisory_lock(hashtext('read.rebuilds'))
            AND pg_try_advisory_lock_shared(hashtext('read.schema_versions'))
        """;

    private const string HeldSql = """
        SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND objid = (hashtext('read.rebuilds')::bigint & 4294967295)::oid)
        """;

    private RebuildLock(NpgsqlConnection connection) => Connection = connection;

    public NpgsqlConnection Connection { get; }

    /// <summary>Null when somebody has it.</summary>
    public static async Task<RebuildLock?> TryTakeAsync(OwnSessions database, CancellationToken ct)
    {
        var connection = await database.OpenAsync(ct);
        try
        {
            await using var command = new NpgsqlCommand(TakeSql, connection);
            if ((bool)(await command.ExecuteScalarAsync(ct))!) return new RebuildLock(connection);
        }
        catch
        {
            await connection.DisposeAsync();
            throw;
        }

        await connection.DisposeAsync();
        return null;
    }

    public static async Task<bool> IsHeldAsync(NpgsqlDataSource database, CancellationToken ct)
    {
        await using var command = database.CreateCommand(HeldSql);
        return (bool)(await command.ExecuteScalarAsync(ct))!;
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
