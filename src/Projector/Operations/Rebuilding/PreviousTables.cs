using ApexShop.Errors;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Projecting;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>Puts the tables before the last rebuild back in use, or drops them.</summary>
internal sealed class PreviousTables(
    DedicatedConnections connections,
    RebuildRecord record,
    EventLogClient log,
    Projections projections,
    ExchangeHealer healer,
    LogWatch watch,
    TimeProvider clock,
    ILogger<PreviousTables> logger)
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(20);

    private static readonly ProblemText running = new("rebuild.running", "A rebuild is running; wait for its end.");
    private static readonly ProblemText exchanged = new(
        "rebuild.other_epoch",
        "The documents have another epoch than the request: they were exchanged, or the event log is another one.");
    private static readonly ProblemText none = new("rebuild.no_previous", "There are no tables from before a rebuild.");
    private static readonly ProblemText outdated = new(
        "rebuild.previous_outdated", "The tables before the rebuild have an earlier version of the schema.");
    private static readonly ProblemText busy = new(
        "rebuild.tables_busy", "The tables could not be locked; a backup or another long transaction uses them.");

    // The tables of a schema with their columns and indexes: a later rebuild creates what the tables in use have.
    private const string ShapeSql = """
        WITH tables AS (
            SELECT oid, relname FROM pg_class
            WHERE relnamespace = $1::regnamespace AND relname = ANY($2) AND relkind = 'r'
        )
        SELECT (SELECT count(*) FROM tables), string_agg(line, ', ' ORDER BY line) FROM (
            SELECT concat_ws(' ', t.relname, a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.attstattarget)
            FROM tables AS t JOIN pg_attribute AS a ON a.attrelid = t.oid
            WHERE a.attnum > 0 AND NOT a.attisdropped
            UNION ALL
            SELECT replace(pg_get_indexdef(i.indexrelid), format(' ON %I.', $1), ' ON ')
            FROM tables AS t JOIN pg_index AS i ON i.indrelid = t.oid) AS shape (line)
        """;

    /// <summary>
    /// Switches to the tables before, with the events since then; another rollback switches again, unless it has the
    /// <paramref name="epoch"/> of before. The checkpoints belong to the tables: events that could not be applied
    /// before are read from the log immediately.
    /// </summary>
    public async Task<ProblemText?> RollBackAsync(long? epoch, CancellationToken ct)
    {
        await using var held = await RebuildLock.TryTakeAsync(connections, record, ct);
        if (held is null) return running;
        if (epoch is not null && epoch != await EpochAsync(held.Connection, ct)) return exchanged;
        var now = await ShapeAsync(held.Connection, ReadTables.Schema, ct);
        var before = await ShapeAsync(held.Connection, RebuiltTables.Previous, ct);
        if (before.Tables == 0) return none;
        if (before != now) return outdated;
        // A rebuild that ended may have left tables where those in use are moved in between.
        await TableDdl.DropAsync(held.Connection, RebuiltTables.Next, ct);
        if (!await ExchangeAsync(held.Connection, ct)) return busy;

        logger.RolledBack();
        watch.Wake();
        // A caller that got an error would repeat the request, and without an epoch switch again.
        await healer.TryRunAsync(CancellationToken.None);
        return null;
    }

    public async Task<ProblemText?> DropAsync(CancellationToken ct)
    {
        await using var held = await RebuildLock.TryTakeAsync(connections, record, ct);
        if (held is null) return running;
        await TableDdl.DropAsync(held.Connection, RebuiltTables.Previous, ct);
        // Tables that an incomplete rebuild has left.
        await TableDdl.DropAsync(held.Connection, RebuiltTables.Next, ct);
        return null;
    }

    private async Task<bool> ExchangeAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        var tables = new TableSwitch(connection, clock);
        using var catchUp = new PreviousCatchUp(connection, log, projections, logger);
        var began = clock.GetTimestamp();
        for (var attempt = 0; clock.GetElapsedTime(began) < limit; attempt++)
        {
            await catchUp.RunAsync(ct);
            if (await tables.TryAsync(attempt, FinishAsync, MoveAsync, null, ct)) return true;
            await tables.PauseAsync(ct);
        }

        return false;

        Task<bool> FinishAsync() => catchUp.FinishAsync(ct);

        async Task MoveAsync()
        {
            await tables.MoveAsync(ReadTables.Schema, RebuiltTables.Next, ct);
            await tables.MoveAsync(RebuiltTables.Previous, ReadTables.Schema, ct);
            await tables.MoveAsync(RebuiltTables.Next, RebuiltTables.Previous, ct);
            if (catchUp.IsOfOtherLog) await LogIdentity.ForgetOriginAsync(connection, ct);
        }
    }

    private static async Task<long> EpochAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand($"SELECT epoch FROM {ReadTables.ProjectionState}", connection);
        return (long)(await command.ExecuteScalarAsync(ct))!;
    }

    private static async Task<(long Tables, string Columns)> ShapeAsync(
        NpgsqlConnection connection, string schema, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(ShapeSql, connection);
        command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = schema });
        command.Parameters.Add(new NpgsqlParameter<string[]> { TypedValue = [.. RebuiltTables.All] });
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        return (row.GetInt64(0), row.IsDBNull(1) ? "" : row.GetString(1));
    }
}
