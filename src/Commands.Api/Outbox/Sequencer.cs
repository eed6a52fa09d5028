using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Moves committed outbox rows to the log and assigns gap-free positions. It runs on the connection that holds the
/// leader's lock: a lost session neither holds the lock nor writes.
/// </summary>
internal sealed class Sequencer(LogHeadSignal head, IOptions<OutboxOptions> options)
{
    // The head is a row of the same transaction and not a sequence: a rollback leaves no gap. With the outer join a
    // resource without a row in log_positions fails at "previous", instead of losing its events silently. The commit
    // itself notifies the readers of the log; no command notifies, so none waits for the lock of NOTIFY.
    private const string MoveSql =
        """
        WITH batch AS (
            SELECT max(id) AS last FROM (SELECT id FROM shop.outbox ORDER BY id LIMIT $1) AS lowest
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
                (position, previous, event_id, type, resource, aggregate_id, version, time, trace_parent, data)
            SELECT position, previous, event_id, type, resource, aggregate_id, version, time, trace_parent, data
            FROM linked ORDER BY position
            RETURNING position, resource
        ), moved AS (
            UPDATE shop.log_positions SET position = last.position
            FROM (SELECT resource AS name, max(position) AS position FROM logged GROUP BY resource
                  UNION ALL SELECT 'head', max(position) FROM logged HAVING count(*) > 0) AS last
            WHERE log_positions.name = last.name
        )
        SELECT count(*), max(position), CASE WHEN count(*) > 0 THEN pg_notify('apexshop_log', '') END FROM logged
        """;

    /// <summary>Runs until <paramref name="ct"/> is cancelled or the connection fails.</summary>
    public async Task RunAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        var notified = false;
        connection.Notification += (_, _) => notified = true;
        await using (var listen = new NpgsqlCommand("LISTEN apexshop_outbox", connection))
        {
            await listen.ExecuteNonQueryAsync(ct);
        }

        while (true)
        {
            notified = false;
            var moved = await MoveAsync(connection, ct);
            // A notification during the move may belong to a row that the statement did not see.
            if (moved < options.Value.SequencerBatch && !notified)
                await connection.WaitAsync(options.Value.PollInterval, ct);
        }
    }

    /// <summary>Moves one batch and returns its number of rows.</summary>
    public async Task<long> MoveAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(MoveSql, connection);
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = options.Value.SequencerBatch });
        await using var reader = await command.ExecuteReaderAsync(ct);
        await reader.ReadAsync(ct);
        var moved = reader.GetInt64(0);
        if (moved > 0) head.Raise(reader.GetInt64(1));
        return moved;
    }
}
