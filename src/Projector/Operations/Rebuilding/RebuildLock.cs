using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// The lock of the Projector that rebuilds or switches tables. Migrations wait for it, because tables of two schema
/// versions must not be switched.
/// </summary>
internal static class RebuildLock
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

    /// <summary>Null when it is taken.</summary>
    public static Task<SessionLock?> TryTakeAsync(DedicatedConnections connections, CancellationToken ct) =>
        SessionLock.TryTakeAsync(connections, TakeSql, ct);

    public static async Task<bool> IsHeldAsync(NpgsqlDataSource database, CancellationToken ct)
    {
        await using var command = database.CreateCommand(HeldSql);
        return (bool)(await command.ExecuteScalarAsync(ct))!;
    }
}
