using ApexShop.Events;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using Npgsql;

namespace ApexShop.Projector.Projecting;

/// <summary>One transaction: the events after the checkpoints, the new checkpoints, the pending cache tags.</summary>
internal sealed class BatchTransaction(
    IProjectionStore store,
    Projections projections,
    TagRaiser tags,
    ProjectorMetrics metrics,
    ForeignLogs foreign,
    ILogger<BatchTransaction> logger)
{
    /// <summary>Applies batches, each of another resource, as far as they follow the checkpoints.</summary>
    public async Task<AppliedBatches> RunAsync(IReadOnlyList<EventBatch> batches, CancellationToken ct)
    {
        foreach (var batch in batches) batch.Decode(projections[batch.Resource]);
        try
        {
            return await RunAsync(batches, oneByOne: false, ct);
        }
        catch (PostgresException exception) when (StatementBatch.IsDataFault(exception))
        {
            // One of the events is at fault; applied one by one, it is found.
            return await RunAsync(batches, oneByOne: true, ct);
        }
    }

    private Task<AppliedBatches> RunAsync(IReadOnlyList<EventBatch> batches, bool oneByOne, CancellationToken ct) =>
        store.InTransactionAsync(transaction => RunAsync(transaction, batches, oneByOne, ct), ct);

    private async Task<AppliedBatches> RunAsync(
        IProjectionTransaction transaction,
        IReadOnlyList<EventBatch> batches,
        bool oneByOne,
        CancellationToken ct)
    {
        var state = await transaction.LockAsync(batches, ct);
        var (runs, skipped) = EventsToApply(batches, state);
        var reached = runs.ToDictionary(run => run.Batch.Resource, run => run.Events[^1].Entry);
        if (reached.Count == 0)
        {
            await transaction.RollbackAsync(ct);
            // The events are repeated; an earlier process may have died between its commit and its tags.
            return Applied(batches, state, reached, skipped, tags.RaiseAsync(state.Pending, ct));
        }

        var invalidations = new Invalidations();
        var results = new List<(EventBatch Batch, IReadOnlyList<DecodedEvent> Events, EventParking Parking)>();
        foreach (var (batch, run) in runs)
        {
            var parked = state.Parked(batch.Resource);
            var parking = await EventApplier.ApplyAsync(
                transaction, batch.Resource, run, parked, invalidations, oneByOne, ct);
            results.Add((batch, run, parking));
        }

        transaction.RaiseSegments(invalidations, reached.Values.Max(entry => entry.Position));
        var pending = await transaction.CommitAsync(reached, tags.Unraised(state.Pending).With(invalidations.Tags), ct);
        foreach (var (batch, run, parking) in results) Report(batch.Resource, run.Count, parking);
        var times = results.ConvertAll(one => (one.Batch.IsFromLog, Times: one.Parking.TimesApplied(one.Events)));
        return Applied(batches, state, reached, skipped, tags.RaiseAsync(pending, ct, MeasureVisible));

        void MeasureVisible()
        {
            foreach (var (isFromLog, applied) in times) metrics.Visible(applied, isFromLog);
        }
    }

    // The events of each batch that follow its checkpoint; a batch without any is left out.
    private (List<(EventBatch Batch, IReadOnlyList<DecodedEvent> Events)> Runs, List<EventBatch> Skipped) EventsToApply(
        IReadOnlyList<EventBatch> batches, ProjectionState state)
    {
        var skipped = batches.Where(batch => IsSkipped(batch, state)).ToList();
        var others = batches.Except(skipped).ToList();
        foreach (var batch in others) ThrowIfOfAnotherLog(batch, state);
        var runs = others.Select(batch => (batch, batch.Following(state.Checkpoint(batch.Resource))))
            .Where(run => run.Item2.Count > 0);
        return ([.. runs], skipped);
    }

    // A message of a log that was replaced is skipped: what the current log has of it is read from there. All others
    // wait until the documents are of their log.
    private bool IsSkipped(EventBatch batch, ProjectionState state)
    {
        var others = batch.LogIds.Where(logId => logId != state.LogId).ToList();
        if (others.Count == 0) return false;
        // Of events from the log too: one whose log is not known wakes the comparison.
        var replaced = others.Count(foreign.IsReplaced);
        if (replaced == batch.LogIds.Count && !batch.IsFromLog)
        {
            logger.MessageOfReplacedLog(batch.Resource, batch.First, batch.Last, others[0]);
            return true;
        }

        throw new EventLogException(
            $"The {batch.Resource} are from the log {state.LogId ?? "none"}, the events from the log {others[0]}.");
    }

    // Two histories would be mixed. The events wait until the documents are rebuilt from their log.
    private static void ThrowIfOfAnotherLog(EventBatch batch, ProjectionState state)
    {
        if (!batch.IsOfAnotherLog(state.Checkpoint(batch.Resource), state.Event(batch.Resource))) return;
        throw new OtherLogException(batch.Resource, state.Checkpoint(batch.Resource), state.Event(batch.Resource));
    }

    private void Report(string resource, int count, EventParking parking)
    {
        metrics.Applied(resource, count - parking.Parked.Count);
        if (parking.Parked.Count == 0) return;
        metrics.Parked(resource, parking.Parked.Count);
        foreach (var (entry, _) in parking.Parked) logger.EventParked(resource, entry.AggregateId, entry.Position);
    }

    private static AppliedBatches Applied(
        IReadOnlyList<EventBatch> batches,
        ProjectionState state,
        Dictionary<string, LogEntry> reached,
        List<EventBatch> skipped,
        Task raised)
    {
        var positions = batches.ToDictionary(batch => batch.Resource, batch =>
        {
            var before = state.Checkpoint(batch.Resource);
            if (skipped.Contains(batch)) return (before, Math.Max(before, batch.Last));
            return (before, reached.TryGetValue(batch.Resource, out var last) ? last.Position : before);
        });
        return new(positions, skipped, raised);
    }
}

/// <summary>
/// The checkpoint of each resource before and after a transaction; the batches of a log that was replaced, of which
/// nothing was applied. <paramref name="Raised"/> ends when the cache tags are raised, or are left to be raised later.
/// </summary>
internal sealed record AppliedBatches(
    IReadOnlyDictionary<string, (long Before, long After)> Positions, IReadOnlyList<EventBatch> Skipped, Task Raised);
