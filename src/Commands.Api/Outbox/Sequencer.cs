using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Moves committed outbox rows to the log and assigns gap-free positions. Each move renews the leader's lease in the
/// same transaction, and a leader whose term has ended moves nothing.
/// </summary>
internal sealed class Sequencer(LogHeadSignal head, LeaderLease lease, IOptions<OutboxOptions> options)
{
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
        SELECT count(*), max(position), EXISTS (SELECT FROM led),
               CASE WHEN count(*) > 0 THEN pg_notify('apexshop_log', '') END
        FROM logged
        """;

    /// <summary>Runs until <paramref name="ct"/> is cancelled or the connection fails.</summary>
    public async Task RunAsync(NpgsqlConnection connection, long term, CancellationToken ct)
    {
        var notified = false;
        // Several renewals within a lease: a short pause of the process must not end it.
        var pause = TimeSpan.FromTicks(Math.Min(options.Value.PollInterval.Ticks, options.Value.Lease.Ticks / 4));
        connection.Notification += (_, _) => notified = true;
        await using (var listen = new NpgsqlCommand("LISTEN apexshop_outbox", connection))
        {
            await listen.ExecuteNonQueryAsync(ct);
        }

        while (true)
        {
            notified = false;
            // Not cancelled: its commit would then be visible before the replica has it.
            var moved = await MoveAsync(connection, term, CancellationToken.None);
            // A notification during the move may belong to a row that the statement did not see.
            if (moved < options.Value.SequencerBatch && !notified)
                await connection.WaitAsync(pause, ct);
        }
    }

    /// <summary>Moves one batch and returns its number of rows.</summary>
    /// <exception cref="LeaseLostException">Another process has taken the lead.</exception>
    public async Task<long> MoveAsync(NpgsqlConnection connection, long term, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(MoveSql, connection);
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = options.Value.SequencerBatch });
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = term });
        command.Parameters.Add(new NpgsqlParameter<TimeSpan> { TypedValue = options.Value.Lease });
        command.Parameters.Add(new NpgsqlParameter<bool> { TypedValue = lease.IsOffered });
        await using var reader = await command.ExecuteReaderAsync(ct);
        await reader.ReadAsync(ct);
        if (!reader.GetBoolean(2)) throw new LeaseLostException();
        var moved = reader.GetInt64(0);
        if (moved > 0) head.Raise(reader.GetInt64(1));
        return moved;
    }
}
