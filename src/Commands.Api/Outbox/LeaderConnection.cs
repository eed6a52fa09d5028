using ApexShop.Events;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>The statements of the leader on one connection.</summary>
internal sealed class LeaderConnection(NpgsqlConnection connection) : ILeaderConnection
{
    // A restore or a promotion ends the leader's session, so a process takes the lead again. It gives the log another
    // identity before the log gets another event.
    private const string TakeSql =
        $"""
        WITH taken AS (
            UPDATE shop.leader SET term = term + 1, holder = pg_backend_pid(), expires_at = clock_timestamp() + $1,
                holder_since = (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()),
                is_offered = $2
            WHERE NOT {LeaderLease.IsHeldSql} OR (is_offered AND $3)
            RETURNING term
        )
        SELECT (SELECT term FROM taken), (SELECT is_offered FROM shop.leader),
            (SELECT shop.renew_log_identity(is_certain => false) FROM taken)
        """;

    // The update of the lease locks its row until the commit: a take-over waits for a move, and a move that waited for
    // a take-over finds another term. The head is a row of the same transaction and not a sequence: a rollback leaves
    // no gap. With the outer join a resource without a row in log_positions fails at "previous", instead of losing its
    // events silently. The commit itself notifies the readers of the log; no command notifies, so none waits for the
    // lock of NOTIFY.
    private const string MoveSql =
        """
        WITH led AS (
            UPDATE shop.leader SET expires_at = clock_timestamp() + $3, is_offered = $4 WHERE term = $2 RETURNING term
        ), batch AS (
            SELECT max(id) AS last FROM (SELECT id FROM shop.outbox ORDER BY id LIMIT $1) AS lowest
            WHERE EXISTS (SELECT FROM led)
        ), taken AS (
            DELETE FROM shop.outbox WHERE id <= (SELECT last FROM batch) RETURNING *
        ), numbered AS (
            SELECT taken.*, head.position + row_number() OVER (ORDER BY taken.id) AS position
            FROM taken CROSS JOIN (SELECT position FROM shop.log_positions WHERE name = 'head') AS head
        ), linked AS (
            SELECT numbered.*, coalesce(
                lag(numbered.position) OVER (PARTITION BY numbered.resource ORDER BY numbered.position),
                last.position) AS previous
            FROM numbered LEFT JOIN shop.log_positions AS last ON last.name = numbered.resource
        ), logged AS (
            INSERT INTO shop.events
                (position, previous, event_id, type, resource, aggregate_id, version, time, trace_parent, actor, data)
            SELECT position, previous, event_id, type, resource, aggregate_id, version, time, trace_parent, actor, data
            FROM linked ORDER BY position
            RETURNING position, resource
        ), moved AS (
            UPDATE shop.log_positions SET position = last.position
            FROM (SELECT resource AS name, max(position) AS position FROM logged GROUP BY resource
                  UNION ALL SELECT 'head', max(position) FROM logged HAVING count(*) > 0) AS last
            WHERE log_positions.name = last.name
        )
        SELECT count(*), EXISTS (SELECT FROM led),
               CASE WHEN count(*) > 0 THEN pg_notify('apexshop_log', '') END
        FROM logged
        """;

    private const string ReadSql =
        $"""
        SELECT position, previous, event_id, type, resource, aggregate_id, time, trace_parent, data, actor,
            {EventLog.IdentitySql}
        FROM shop.events WHERE position > $1 ORDER BY position LIMIT $2
        """;

    // A take-over changes the key of the lease's row and so waits for this lock; a renewal does not. Greatest: the
    // cursor must never go back.
    private const string MovePublishedSql =
        """
        WITH led AS (SELECT FROM shop.leader WHERE term = $2 FOR KEY SHARE)
        UPDATE shop.log_positions SET position = greatest(position, $1) FROM led WHERE name = 'published'
        """;

    public bool IsNotified { get; set; }

    public async Task<TakenLease> TakeAsync(TimeSpan lease, bool isOffered, bool reachesBroker, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(TakeSql, connection);
        command.Parameters.Add(new NpgsqlParameter<TimeSpan> { TypedValue = lease });
        command.Parameters.Add(new NpgsqlParameter<bool> { TypedValue = isOffered });
        command.Parameters.Add(new NpgsqlParameter<bool> { TypedValue = reachesBroker });
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        return new(
            row.IsDBNull(0) ? null : row.GetInt64(0), row.GetBoolean(1), row.IsDBNull(2) ? null : row.GetString(2));
    }

    public async Task ListenAsync(CancellationToken ct)
    {
        connection.Notification += (_, _) => IsNotified = true;
        await using var listen = new NpgsqlCommand("LISTEN apexshop_outbox", connection);
        await listen.ExecuteNonQueryAsync(ct);
    }

    public Task WaitAsync(TimeSpan limit, CancellationToken ct) => connection.WaitAsync(limit, ct);

    public async Task<long?> MoveAsync(long term, int limit, TimeSpan lease, bool isOffered, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(MoveSql, connection);
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = limit });
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = term });
        command.Parameters.Add(new NpgsqlParameter<TimeSpan> { TypedValue = lease });
        command.Parameters.Add(new NpgsqlParameter<bool> { TypedValue = isOffered });
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        return row.GetBoolean(1) ? row.GetInt64(0) : null;
    }

    public async Task DisableSynchronousCommitAsync(CancellationToken ct)
    {
        await using var command = new NpgsqlCommand("SET synchronous_commit = off", connection);
        await command.ExecuteNonQueryAsync(ct);
    }

    public async Task<List<LogEntry>> ReadAsync(long after, int limit, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(ReadSql, connection);
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = after });
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = limit });
        await using var rows = await command.ExecuteReaderAsync(ct);
        var entries = new List<LogEntry>();
        while (await rows.ReadAsync(ct)) entries.Add(EventLog.Entry(rows));
        return entries;
    }

    public async Task<long> ReadPublishedAsync(CancellationToken ct)
    {
        const string sql = "SELECT position FROM shop.log_positions WHERE name = 'published'";
        await using var command = new NpgsqlCommand(sql, connection);
        return (long)(await command.ExecuteScalarAsync(ct))!;
    }

    public async Task MovePublishedAsync(long position, long term, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(MovePublishedSql, connection);
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = position });
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = term });
        if (await command.ExecuteNonQueryAsync(ct) == 0) throw new LeaseLostException();
    }

    public ValueTask DisposeAsync() => connection.DisposeAsync();
}
