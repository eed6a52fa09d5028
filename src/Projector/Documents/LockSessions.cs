using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>
/// The sessions that hold the locks of rebuilds and audits. A Projector that hangs keeps them, because its kernel still
/// responds, and during a COPY no time limit of PostgreSQL ends them. So each has a pulse, which is a lock of another
/// session of its process; that one ends when the process sends nothing for some seconds.
/// </summary>
internal static class LockSessions
{
    /// <summary>The application name; sessions of earlier releases, which have no pulse, have another one.</summary>
    public const string Name = "apexshop-projector-lock";

    /// <summary>The name of the locks that are pulses: each has the process id of its lock session, too.</summary>
    public const string Pulse = "read.pulses";

    // A new session has no pulse yet. Without the wait its locks might still be taken afterwards.
    private static readonly string endHungSql = $"""
        SELECT count(*) FILTER (WHERE pg_terminate_backend(a.pid, 5000)) FROM pg_stat_activity a
        WHERE a.datname = current_database() AND a.application_name = '{Name}' AND a.pid <> pg_backend_pid()
            AND a.backend_start < clock_timestamp() - interval '{ReadDatabase.HangLimit} milliseconds'
            AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted
                AND l.database = a.datid AND l.classid = (hashtext('{Pulse}')::bigint & 4294967295)::oid
                AND l.objid = a.pid::oid)
        """;

    /// <summary>Ends the sessions without a pulse and their transactions; false when there is none.</summary>
    public static async Task<bool> EndHungAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(endHungSql, connection);
        return (long)(await command.ExecuteScalarAsync(ct))! > 0;
    }
}
