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
    RebuildProgress progress,
    RebuildingOptions options,
    TimeProvider clock,
    ILogger logger)
{
    private static readonly TimeSpan arrival = TimeSpan.FromSeconds(5);

    /// <summary>Runs the rebuild; it fails when the tables cannot be locked within the limit.</summary>
    /// <exception cref="RebuildException">It ended without a switch.</exception>
    public async Task RunAsync(CancellationToken ct)
    {
        var logId = await log.IdAsync(ct);
        var steps = await RebuildSteps.ReadAsync(connection, log, logId, projections.Currency, ct);
        var staged = new StagedTables(connection, projections, steps);
        var last = steps.Last;
        await staged.CreateAsync(ct);
        if (last is not null) logger.RebuildContinues(last, staged.Position);
        await staged.ReadAsync(log, progress, ct);
        var retry = new ParkedRetry(log, projections);
        var documents = new DocumentFiller(
            connection, database, projections, steps, progress, options.TransactionDocuments);
        await new TableFiller(connection, documents, staged, steps, projections, retry, progress).RunAsync(ct);
        var catchUp = await CatchUp.BeginAsync(
            connection, log, projections, RebuiltTables.NextPrefix, logId, ct);
        progress.Phase = RebuildPhase.CatchingUp;
        await CatchUpAsync(catchUp, ct);

        progress.Phase = RebuildPhase.Comparing;
        var comparison = new TableComparison(connection, progress);
        await comparison.CompareAsync(ct);
        await CatchUpAsync(catchUp, ct);
        await ExpectedTotals.CheckAsync(connection, catchUp.Parked, ct);

        progress.Phase = RebuildPhase.Switching;
        await SwitchAsync(catchUp, comparison, steps, logId, ct);
        progress.Parked = catchUp.Parked.Count;
    }

    private Task CatchUpAsync(CatchUp catchUp, CancellationToken ct) =>
        catchUp.RunAsync(position => progress.Position = position, ct);

    private async Task SwitchAsync(
        CatchUp catchUp, TableComparison comparison, RebuildSteps steps, string? logId, CancellationToken ct)
    {
        var tables = new TableSwitch(connection, clock);
        var began = clock.GetTimestamp();
        for (var attempt = 0; !await tables.TryAsync(attempt, PrepareAsync, Move, logId, ct); attempt++)
        {
            if (clock.GetElapsedTime(began) > TimeSpan.FromSeconds(options.SwitchSeconds))
                throw new RebuildException(
                    "The tables in use, or those before the last rebuild, could not be locked; a backup or another "
                    + "long transaction uses them, or too many events arrive.",
                    isTransient: true);
            await tables.PauseAsync(ct);
            // Directly before the next attempt: few events may be applied under the lock.
            await CatchUpAsync(catchUp, ct);
        }

        async Task<bool> PrepareAsync()
        {
            var inUse = await LogContinuity.PositionsAsync(new StatementBatch(connection), ct);
            // Events that are about to be applied to the tables in use would look like differences.
            if (catchUp.IsAhead(inUse) && clock.GetElapsedTime(began) < arrival) return false;
            var statements = new StatementBatch(connection, RebuiltTables.NextPrefix);
            if (!await catchUp.FinishAsync(statements, inUse, ct)) return false;
            await comparison.CompareAgainAsync(ct);
            return true;
        }

        Task Move() => MoveAsync(tables, steps, logId, ct);
    }

    private async Task MoveAsync(TableSwitch tables, RebuildSteps steps, string? logId, CancellationToken ct)
    {
        await steps.EndAsync(ct);
        await using (var switched = new NpgsqlCommand(RebuildRecord.SwitchedSql, connection))
            await switched.ExecuteNonQueryAsync(ct);
        await TableDdl.DropAsync(connection, RebuiltTables.Previous, ct);
        await tables.MoveAsync(ReadTables.Schema, RebuiltTables.Previous, ct);
        await tables.MoveAsync(RebuiltTables.Next, ReadTables.Schema, ct);
        // Documents of a log that was replaced must not be in use again.
        if (await LogIdentity.IsOtherAsync(connection, logId, ct))
            await TableDdl.DropAsync(connection, RebuiltTables.Previous, ct);
    }
}
