using ApexShop.Events;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Reads the log from a position, and reads and moves the cursor of the published events.</summary>
internal static class EventLog
{
    /// <summary>The identity of the log, as an expression of a statement that reads from it.</summary>
    public const string IdentitySql = "(SELECT id FROM shop.log_identities ORDER BY generation DESC LIMIT 1)";

    private const string ReadSql =
        $"""
        SELECT position, previous, event_id, type, resource, aggregate_id, time, trace_parent, data, actor,
            {IdentitySql}
        FROM shop.events WHERE position > $1 ORDER BY position LIMIT $2
        """;

    // A take-over changes the key of the lease's row and so waits for this lock; a renewal does not. Greatest: the
    // cursor must never go back.
    private const string MoveSql =
        """
        WITH led AS (SELECT FROM shop.leader WHERE term = $2 FOR KEY SHARE)
        UPDATE shop.log_positions SET position = greatest(position, $1) FROM led WHERE name = 'published'
        """;

    /// <summary>Entries after a position, ascending.</summary>
    public static async Task<List<LogEntry>> ReadAsync(
        NpgsqlConnection connection, long after, int limit, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(ReadSql, connection);
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = after });
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = limit });
        await using var reader = await command.ExecuteReaderAsync(ct);
        var entries = new List<LogEntry>();
        while (await reader.ReadAsync(ct)) entries.Add(Entry(reader));
        return entries;
    }

    /// <summary>
    /// A crash that loses a move of the cursor only repeats messages, so a move need not wait for the disk.
    /// </summary>
    public static async Task DisableSynchronousCommitAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand("SET synchronous_commit = off", connection);
        await command.ExecuteNonQueryAsync(ct);
    }

    public static async Task<long> ReadPublishedAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        const string sql = "SELECT position FROM shop.log_positions WHERE name = 'published'";
        await using var command = new NpgsqlCommand(sql, connection);
        return (long)(await command.ExecuteScalarAsync(ct))!;
    }

    /// <exception cref="LeaseLostException">Another process has taken the lead.</exception>
    public static async Task MovePublishedAsync(
        NpgsqlConnection connection, long position, long term, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(MoveSql, connection);
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = position });
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = term });
        if (await command.ExecuteNonQueryAsync(ct) == 0) throw new LeaseLostException();
    }

    /// <summary>An entry from its columns, in the order of the SELECT above.</summary>
    public static LogEntry Entry(NpgsqlDataReader row) => new(
        row.GetInt64(0),
        row.GetInt64(1),
        row.GetGuid(2),
        row.GetString(3),
        row.GetString(4),
        row.GetInt32(5),
        row.GetFieldValue<DateTimeOffset>(6),
        row.IsDBNull(7) ? null : row.GetString(7),
        row.GetFieldValue<byte[]>(8))
    {
        Actor = row.IsDBNull(9) ? null : row.GetString(9),
        LogId = row.GetString(10),
    };
}
