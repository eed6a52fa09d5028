using ApexShop.Operations;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Projecting;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// One rebuild, from reading the first event to switching the tables. It runs on the connection that holds the lock, so
/// that it cannot write without the lock.
/// </summary>
internal sealed class Rebuild(
    NpgsqlConnection connection,
    NpgsqlDataSource database,
    EventLogClient log,
    Projections projections,
    EventApplier applier,
    RebuildProgress progress,
    TimeProvider clock,
    ILogger logger)
{
    // With so few new events in a step, the rest may be applied under the lock.
    private const int Few = 50;

    private static readonly TimeSpan arrival = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan hold = TimeSpan.FromSeconds(2);

    /// <summary>Runs the rebuild; it fails when the tables in use cannot be locked within the limit.</summary>
    /// <exception cref="RebuildException">It ended without a switch.</exception>
    public async Task RunAsync(TimeSpan limit, CancellationToken ct)
    {
        var logId = await log.IdAsync(ct);
        var steps = await RebuildSteps.ReadAsync(connection, log, logId, projections.Currency, ct);
        var staged = new StagedTables(connection, projections, steps);
        var last = steps.Last;
        await staged.CreateAsync(ct);
        if (last is not null) logger.RebuildContinues(last, staged.Position);
        await staged.ReadAsync(log, progress, ct);
        var retry = new ParkedRetry(log, projections, applier);
        await new TableFiller(connection, database, staged, steps, projections, retry, progress).RunAsync(ct);
        var parked = await ParkedAsync(ct);
        var reached = await CheckpointsAsync(new StatementBatch(connection, RebuiltTables.NextPrefix), ct);
        var catchUp = new CatchUp(connection, log, projections, applier, reached, parked);
        progress.Phase = RebuildPhase.CatchingUp;
        await CatchUpAsync(catchUp, ct);

        progress.Phase = RebuildPhase.Comparing;
        var comparison = new TableComparison(connection, progress);
        await comparison.CompareAsync(ct);
        await CatchUpAsync(catchUp, ct);
        await ExpectedTotals.CheckAsync(connection, parked, ct);

        progress.Phase = RebuildPhase.Switching;
        await SwitchAsync(catchUp, comparison, steps, logId, limit, ct);
        progress.Parked = parked.Count;
    }

    private async Task<HashSet<(string Resource, int Id)>> ParkedAsync(CancellationToken ct)
    {
        var parked = new HashSet<(string, int)>();
        var statements = new StatementBatch(connection, RebuiltTables.NextPrefix);
        statements.Add(
            $"SELECT DISTINCT resource, aggregate_id FROM {ReadTables.ParkedEvents}",
            row => parked.Add((row.GetString(0), row.GetInt32(1))));
        await statements.RunAsync(ct);
        return parked;
    }

    private static async Task<Dictionary<string, long>> CheckpointsAsync(
        StatementBatch statements, CancellationToken ct)
    {
        var positions = new Dictionary<string, long>();
        statements.Add(
            $"SELECT resource, position FROM {ReadTables.Checkpoints}",
            row => positions[row.GetString(0)] = row.GetInt64(1));
        await statements.RunAsync(ct);
        return positions;
    }

    // The Projectors wait for the lock, so a slow event log is read again without it.
    private async Task<bool> FinishAsync(
        CatchUp catchUp, StatementBatch statements, Dictionary<string, long> inUse, string? logId, CancellationToken ct)
    {
        using var soon = CancellationTokenSource.CreateLinkedTokenSource(ct);
        soon.CancelAfter(hold);
        try
        {
            if (!await catchUp.FinishAsync(statements, inUse, soon.Token)) return false;
            if (await log.IdAsync(soon.Token) == logId) return true;
            throw new RebuildException("The event log was replaced by another one during the rebuild.");
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            return false;
        }
    }

    private async Task CatchUpAsync(CatchUp catchUp, CancellationToken ct)
    {
        while (await catchUp.NextAsync(ct) > Few) progress.Position = catchUp.Position;
        progress.Position = catchUp.Position;
    }

    private async Task SwitchAsync(
        CatchUp catchUp, TableComparison comparison, RebuildSteps steps, string? logId, TimeSpan limit,
        CancellationToken ct)
    {
        var tables = new TableSwitch(connection, clock);
        var began = clock.GetTimestamp();
        string[] schemas = [ReadTables.Schema, RebuiltTables.Next];
        for (var attempt = 0; !await tables.TryAsync(schemas, attempt, PrepareAsync, Move, logId, ct); attempt++)
        {
            if (clock.GetElapsedTime(began) > limit)
                throw new RebuildException(
                    "The tables in use could not be locked; a backup or another long transaction uses them.",
                    isTransient: true);
            await CatchUpAsync(catchUp, ct);
            await tables.PauseAsync(ct);
        }

        async Task<bool> PrepareAsync(StatementBatch statements)
        {
            var inUse = await CheckpointsAsync(new StatementBatch(connection), ct);
            // Events that are about to be applied to the tables in use would look like differences.
            if (catchUp.IsAhead(inUse) && clock.GetElapsedTime(began) < arrival) return false;
            if (!await FinishAsync(catchUp, statements, inUse, logId, ct)) return false;
            await comparison.CompareAgainAsync(ct);
            return true;
        }

        Task Move() => MoveAsync(tables, steps, logId, ct);
    }

    private async Task MoveAsync(TableSwitch tables, RebuildSteps steps, string? logId, CancellationToken ct)
    {
        await steps.EndAsync(ct);
        await TableDdl.DropAsync(connection, RebuiltTables.Previous, ct);
        await tables.MoveAsync(ReadTables.Schema, RebuiltTables.Previous, ct);
        await tables.MoveAsync(RebuiltTables.Next, ReadTables.Schema, ct);
        // Documents of a log that was replaced must not be in use again.
        if (await LogIdentity.IsOtherAsync(connection, logId, ct))
            await TableDdl.DropAsync(connection, RebuiltTables.Previous, ct);
    }
}
