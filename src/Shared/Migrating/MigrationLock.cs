using System.Data.Common;

namespace ApexShop.Migrating;

/// <summary>The lock of one migration at a time, which its session has until its connection is closed.</summary>
public static class MigrationLock
{
    /// <summary>
    /// PostgreSQL's options with which the session of a migration ends, and its locks with it, seconds after its
    /// program was killed, and a minute after it has hung between two statements.
    /// </summary>
    public const string SessionOptions = "-c client_connection_check_interval=2s"
        + " -c idle_in_transaction_session_timeout=60s -c idle_session_timeout=60s";

    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(500);

    /// <summary>Waits without a limit: another migration may take hours, longer than all attempts for a lock.</summary>
    public static async Task TakeAsync(
        DbConnection connection, string name, TimeProvider clock, CancellationToken ct,
        Func<Task>? whileWaiting = null)
    {
        while (!await TryTakeAsync(connection, name, ct))
        {
            if (whileWaiting is not null) await whileWaiting();
            await Task.Delay(pause, clock, ct);
        }
    }

    private static async Task<bool> TryTakeAsync(DbConnection connection, string name, CancellationToken ct)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT pg_try_advisory_lock(hashtext($1))";
        var parameter = command.CreateParameter();
        parameter.Value = name;
        command.Parameters.Add(parameter);
        return (bool)(await command.ExecuteScalarAsync(ct))!;
    }
}
