using System.Text.Json;
using ApexShop.Operations;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>The status of rebuilds in the database, so that every Projector can report it.</summary>
internal sealed class RebuildRecord(NpgsqlDataSource database)
{
    /// <summary>
    /// In the transaction of the exchange: the current rebuild is done, also if its Projector ends before it stores so.
    /// </summary>
    public const string SwitchedSql = """
        UPDATE read.rebuilds SET status = status || '{"isSwitched":true}'
        WHERE number = (SELECT max(number) FROM read.rebuilds)
        """;

    private const string ReadSql = $"""
        SELECT status, status ? 'isSwitched',
            (SELECT count(*) FROM pg_tables WHERE schemaname = '{RebuiltTables.Previous}')
        FROM (VALUES (0)) AS always LEFT JOIN read.rebuilds ON true ORDER BY number DESC LIMIT 1
        """;

    // The progress may be stored at the same time as the exchange, and later.
    private const string SaveSql = """
        UPDATE read.rebuilds
        SET status = $2::jsonb || CASE WHEN status ? 'isSwitched' THEN '{"isSwitched":true}' ELSE '{}' END::jsonb
        WHERE number = $1
        """;

    // The others are deleted: a rebuild that fails for days would leave a row for each attempt.
    private const string AddSql = """
        WITH old AS (DELETE FROM read.rebuilds WHERE number <= (SELECT max(number) - 99 FROM read.rebuilds))
        INSERT INTO read.rebuilds (status) VALUES ($1::jsonb) RETURNING number
        """;

    // After two failures the pause is 10 s, then 30, 70, 150, 310 and 600. A rebuild whose Projector ended counts too.
    // One that ended in the future does not count: the clock was set back since.
    private const string IsDueSql = """
        SELECT coalesce(
            max(ended)
                + least(interval '10 minutes', interval '10 seconds' * (2 ^ (least(count(*), 10) - 1) - 1))
                <= clock_timestamp(),
            true)
        FROM read.rebuilds, LATERAL (
            SELECT started_at + coalesce((status ->> 'seconds')::float8, 0) * interval '1 second') AS one (ended)
        WHERE number > (SELECT coalesce(max(number), 0) FROM read.rebuilds
            WHERE status ->> 'state' = 'done' OR status ? 'isSwitched')
            AND ended <= clock_timestamp()
        """;

    private const string Ended =
        "The Projector that ran it ended. The tables were not switched; start the rebuild again.";

    public async Task<long> AddAsync(RebuildStatus status, CancellationToken ct)
    {
        await using var command = database.CreateCommand(AddSql);
        command.Parameters.Add(Json(status));
        return (long)(await command.ExecuteScalarAsync(ct))!;
    }

    /// <summary>
    /// Whether a rebuild may begin without an operator: with each one that failed since the last that succeeded, the
    /// pause after it becomes longer.
    /// </summary>
    public async Task<bool> IsAutomaticDueAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand(IsDueSql);
        return (bool)(await command.ExecuteScalarAsync(ct))!;
    }

    public async Task SaveAsync(long number, RebuildStatus status, CancellationToken ct)
    {
        await using var command = database.CreateCommand(SaveSql);
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = number });
        command.Parameters.Add(Json(status));
        await command.ExecuteNonQueryAsync(ct);
    }

    public async Task<RebuildStatus> ReadAsync(CancellationToken ct)
    {
        // Read first: a rebuild that ends in between is reported with its end.
        var isHeld = await RebuildLock.IsHeldAsync(database, ct);
        await using var command = database.CreateCommand(ReadSql);
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        var status = row.IsDBNull(0)
            ? RebuildStatus.None
            : JsonSerializer.Deserialize(row.GetString(0), OperationsJson.Default.RebuildStatus)!;
        if (status.State == RebuildState.Running && !isHeld)
            status = status with { State = RebuildState.Failed, Failure = Ended };
        if (status.State == RebuildState.Failed && !row.IsDBNull(1) && row.GetBoolean(1))
            status = status with { State = RebuildState.Done, Failure = null };
        return status with { CanRollBack = row.GetInt64(2) > 0 };
    }

    private static NpgsqlParameter<string> Json(RebuildStatus status) =>
        new() { TypedValue = JsonSerializer.Serialize(status, OperationsJson.Default.RebuildStatus) };
}
