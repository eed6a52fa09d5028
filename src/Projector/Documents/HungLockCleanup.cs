using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>
/// Ends the sessions that hold the lock of a rebuild or an audit for a Projector that hangs. PostgreSQL would keep
/// them: the kernel of the Projector still responds, and no time limit ends a COPY. So each of them has a heartbeat, a
/// lock of another session of the same process. PostgreSQL ends that session when it sends nothing for some seconds.
/// </summary>
internal static class HungLockCleanup
{
    /// <summary>The application name; sessions of earlier releases, without a heartbeat, have another one.</summary>
    public const string SessionName = "apexshop-projector-lock";

    /// <summary>The name of all heartbeats; the lock has the process id of its session, too.</summary>
    public const string Heartbeat = "read.heartbeats";

    // A new session has no heartbeat yet, so it is left alone; one from the future began before the clock was set back.
    // pg_terminate_backend waits until the locks are free.
    private static readonly string endSql = $"""
        SELECT count(*) FILTER (WHERE pg_terminate_backend(a.pid, 5000)) FROM pg_stat_activity a
        WHERE a.datname = current_database() AND a.application_name = '{SessionName}' AND a.pid <> pg_backend_pid()
            AND a.backend_start NOT BETWEEN clock_timestamp() - interval '{ReadDatabase.HangLimit} milliseconds'
                AND clock_timestamp()
            AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted
                AND l.database = a.datid AND l.classid = (hashtext('{Heartbeat}')::bigint & 4294967295)::oid
                AND l.objid = a.pid::oid)
        """;

    /// <summary>Ends the sessions without a heartbeat and their transactions; false when there is none.</summary>
    public static async Task<bool> RunAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(endSql, connection);
        return (long)(await command.ExecuteScalarAsync(ct))! > 0;
    }
}
