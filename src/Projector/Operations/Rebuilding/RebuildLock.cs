using ApexShop.Operations;
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

    private const int Attempts = 20;

    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(50);

    /// <summary>
    /// Null when another rebuild or a migration is running. A rebuild stores its outcome before it releases the lock: a
    /// caller who has read the outcome waits for the release.
    /// </summary>
    public static async Task<SessionLock?> TryTakeAsync(
        DedicatedConnections connections, RebuildRecord record, CancellationToken ct)
    {
        for (var left = Attempts; ; left--)
        {
            if (await TryTakeAsync(connections, ct) is { } held) return held;
            if (left == 0 || (await record.ReadAsync(ct)).State == RebuildState.Running) return null;
            await Task.Delay(pause, ct);
        }
    }

    /// <summary>Null when it is taken.</summary>
    public static Task<SessionLock?> TryTakeAsync(DedicatedConnections connections, CancellationToken ct) =>
        SessionLock.TryTakeAsync(connections, TakeSql, ct);

    public static async Task<bool> IsHeldAsync(NpgsqlDataSource database, CancellationToken ct)
    {
        await using var command = database.CreateCommand(HeldSql);
        return (bool)(await command.ExecuteScalarAsync(ct))!;
    }
}
