using ApexShop.Events;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using Npgsql;

namespace ApexShop.Projector.Projecting;

/// <summary>One transaction: what follows the checkpoints, the new checkpoints, the cache tags to raise after it.</summary>
internal sealed class BatchTransaction(
    NpgsqlDataSource database,
    EventApplier events,
    TagRaiser tags,
    ProjectorMetrics metrics,
    ILogger<BatchTransaction> logger)
{
    /// <summary>Applies batches, each of another resource, as far as they follow the checkpoints.</summary>
    public Task<AppliedBatches> RunAsync(IReadOnlyList<EventBatch> batches, bool oneByOne, CancellationToken ct) =>
        DocumentTransaction.RunAsync(
            database, (statements, transaction) => RunAsync(statements, transaction, batches, oneByOne, ct), ct);

    private async Task<AppliedBatches> RunAsync(
        StatementBatch statements, NpgsqlTransaction transaction, IReadOnlyList<EventBatch> batches, bool oneByOne, CancellationToken ct)
    {
        var state = await ProjectionState.LockAsync(statements, batches, ct);
        foreach (var batch in batches) ShouldContinue(batch, state);
        var runs = batches.Select(batch => (batch.Resource, Events: batch.Beyond(state.Checkpoint(batch.Resource)))).ToList();
        var reached = runs.Where(run => run.Events.Count > 0).ToDictionary(run => run.Resource, run => run.Events[^1].Entry);
        if (reached.Count == 0)
        {
            await transaction.RollbackAsync(ct);
            // A repeat may be all that is left of a process that died between its commit and the raise.
            return new(Reached(batches, state, reached), tags.RaiseAsync(state.Pending, ct));
        }

        var invalidations = new Invalidations();
        var parkings = new List<(string Resource, IReadOnlyList<DecodedEvent> Run, EventParking Parking)>();
        foreach (var (resource, run) in runs.Where(run => run.Events.Count > 0))
        {
            var parking = await events.ApplyAsync(statements, resource, run, state.Parked(resource), invalidations, oneByOne, ct);
            parkings.Add((resource, run, parking));
        }

        invalidations.RaiseSegments(statements, reached.Values.Max(entry => entry.Position));
        var pending = await ProjectionState.CommitAsync(statements, reached, tags.Unraised(state.Pending).With(invalidations.Tags), ct);
        foreach (var (resource, run, parking) in parkings) Report(resource, run.Count, parking);
        return new(Reached(batches, state, reached), ShowAsync());

        async Task ShowAsync()
        {
            await tags.RaiseAsync(pending, ct);
            foreach (var (resource, run, parking) in parkings)
                metrics.Visible(parking.Applied(run), batches.Any(batch => batch.Resource == resource && batch.IsFetched));
        }
    }

    // Two histories would be mixed. Whoever brought the events waits until the documents are of their log.
    private static void ShouldContinue(EventBatch batch, ProjectionState state)
    {
        if (!batch.Contradicts(state.Checkpoint(batch.Resource), state.Event(batch.Resource))) return;
        throw new EventLogException($"The {batch.Resource} were made of another event log than the one that goes on; they must be rebuilt.");
    }

    private void Report(string resource, int count, EventParking parking)
    {
        metrics.Applied(resource, count - parking.Parked.Count);
        if (parking.Parked.Count == 0) return;
        metrics.Parked(resource, parking.Parked.Count);
        foreach (var (entry, _) in parking.Parked) logger.EventParked(resource, entry.AggregateId, entry.Position);
    }

    private static Dictionary<string, (long Before, long After)> Reached(
        IReadOnlyList<EventBatch> batches, ProjectionState state, Dictionary<string, LogEntry> reached) =>
        batches.ToDictionary(batch => batch.Resource, batch =>
        {
            var before = state.Checkpoint(batch.Resource);
            return (before, reached.TryGetValue(batch.Resource, out var last) ? last.Position : before);
        });
}
