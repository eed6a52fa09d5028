using ApexShop.Errors;
using ApexShop.Projector.Batches;
using ApexShop.Projector.Caching;
using ApexShop.Projector.Hosting;
using ApexShop.Projector.ReadModels;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Projector.Rebuilding;

/// <summary>The tables before the last rebuild: brought back, or dropped.</summary>
internal sealed class PreviousTables(
    OwnSessions sessions, TagRaiser tags, LogWatch watch, TimeProvider clock, ILogger<PreviousTables> logger)
{
    private static readonly TimeSpan patience = TimeSpan.FromSeconds(20);

    private static readonly ProblemText running = new("rebuild.running", "A rebuild runs; wait for its end.");
    private static readonly ProblemText none = new("rebuild.no_previous", "There are no tables from before a rebuild.");
    private static readonly ProblemText outdated = new("rebuild.previous_outdated", "The tables before were made by an earlier version of the schema.");
    private static readonly ProblemText busy = new("rebuild.tables_busy", "The tables were not free for a moment; a backup or another long transaction holds them.");

    // What a table is made of, wherever it lies.
    private const string ShapeSql = $"""
        SELECT count(DISTINCT c.relname), string_agg(concat_ws(' ', c.relname, a.attname, a.atttypid, a.atttypmod, a.attnotnull), ', ' ORDER BY c.relname, a.attname)
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = $1::regnamespace AND c.relname = ANY($2) AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
        """;

    /// <summary>
    /// Exchanges the tables with those before, which lie where these were: another roll-back brings these back. Their
    /// positions are theirs, and what the log has beyond is applied at once.
    /// </summary>
    public async Task<ProblemText?> RollBackAsync(CancellationToken ct)
    {
        await using var held = await RebuildLock.TryTakeAsync(sessions, ct);
        if (held is null) return running;
        var (now, before) = (await ShapeAsync(held.Connection, ReadTables.Schema, ct), await ShapeAsync(held.Connection, RebuiltTables.Previous, ct));
        if (before.Tables == 0) return none;
        if (before != now) return outdated;
        if (!await ExchangeAsync(held.Connection, ct)) return busy;

        logger.RolledBack();
        await tags.RaiseStoredAsync(ct);
        watch.Wake();
        return null;
    }

    public async Task<ProblemText?> DropAsync(CancellationToken ct)
    {
        await using var held = await RebuildLock.TryTakeAsync(sessions, ct);
        if (held is null) return running;
        await NewTables.DropAsync(held.Connection, RebuiltTables.Previous, ct);
        return null;
    }

    private async Task<bool> ExchangeAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        var tables = new TableSwitch(connection, clock);
        var began = clock.GetTimestamp();
        for (var attempt = 0; clock.GetElapsedTime(began) < patience; attempt++)
        {
            if (await tables.TryAsync([ReadTables.Schema, RebuiltTables.Previous], attempt, _ => Task.FromResult(true), MoveAsync, ct)) return true;
            await tables.PauseAsync(ct);
        }

        return false;

        async Task MoveAsync()
        {
            // Whatever a rebuild left that was killed.
            await NewTables.DropAsync(connection, RebuiltTables.Next, ct);
            await tables.MoveAsync(ReadTables.Schema, RebuiltTables.Next, ct);
            await tables.MoveAsync(RebuiltTables.Previous, ReadTables.Schema, ct);
            await tables.MoveAsync(RebuiltTables.Next, RebuiltTables.Previous, ct);
        }
    }

    private static async Task<(long Tables, string Columns)> ShapeAsync(NpgsqlConnection connection, string schema, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(ShapeSql, connection);
        command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = schema });
        command.Parameters.Add(new NpgsqlParameter<string[]> { TypedValue = [.. RebuiltTables.All] });
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        return (row.GetInt64(0), row.IsDBNull(1) ? "" : row.GetString(1));
    }
}
