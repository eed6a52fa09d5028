using ApexShop.Projector.Caching;
using ApexShop.Projector.Hosting;
using ApexShop.Projector.ReadModels;
using Npgsql;

namespace ApexShop.Projector.Batches;

/// <summary>One transaction: what follows the checkpoints, the new checkpoints, the cache tags to raise after it.</summary>
internal sealed class BatchTransaction(
    NpgsqlDataSource database,
    Projections projections,
    TagRaiser tags,
    ProjectorMetrics metrics,
    ILogger<BatchTransaction> logger)
{
    /// <summary>Applies batches, each of another resource, as far as they follow the checkpoints.</summary>
    public Task<Applied> RunAsync(IReadOnlyList<EventBatch> batches, bool oneByOne, CancellationToken ct) =>
        DocumentTransaction.RunAsync(
            database, (round, transaction) => RunAsync(round, transaction, batches, oneByOne, ct), ct);

    private async Task<Applied> RunAsync(
        Round round, NpgsqlTransaction transaction, IReadOnlyList<EventBatch> batches, bool oneByOne, CancellationToken ct)
    {
        var state = await ProjectionState.LockAsync(round, batches, ct);
        var runs = batches.Select(batch => (batch.Resource, Events: batch.Beyond(state.Checkpoint(batch.Resource)))).ToList();
        var reached = runs.Where(run => run.Events.Count > 0).ToDictionary(run => run.Resource, run => run.Events[^1].Entry.Position);
        if (reached.Count == 0)
        {
            await transaction.RollbackAsync(ct);
            // A repeat may be all that is left of a process that died between its commit and the raise.
            return new(Reached(batches, state, reached), tags.RaiseAsync(state.Pending, ct));
        }

        var touched = new Touched();
        var parkings = new List<(string Resource, IReadOnlyList<Reading> Events, Parking Parking)>();
        foreach (var (resource, events) in runs.Where(run => run.Events.Count > 0))
        {
            var parking = await ApplyAsync(round, resource, events, state.Parked(resource), touched, oneByOne, ct);
            parkings.Add((resource, events, parking));
        }

        touched.RaiseSegments(round, reached.Values.Max());
        var pending = await ProjectionState.CommitAsync(
            round, reached, tags.Unraised(state.Pending).With(touched.Tags), ct);
        foreach (var (resource, events, parking) in parkings) Report(resource, events.Count, parking);
        return new(Reached(batches, state, reached), ShowAsync());

        async Task ShowAsync()
        {
            await tags.RaiseAsync(pending, ct);
            foreach (var (resource, events, parking) in parkings)
                metrics.Visible(parking.Applied(events), batches.Any(batch => batch.Resource == resource && batch.IsFetched));
        }
    }

    private async Task<Parking> ApplyAsync(
        Round round,
        string resource,
        IReadOnlyList<Reading> events,
        IReadOnlySet<int> parked,
        Touched touched,
        bool oneByOne,
        CancellationToken ct)
    {
        var parking = new Parking(parked);
        var changes = parking.Sort(events);
        if (oneByOne) await ApplyOneByOneAsync(round, resource, changes, parking, touched, ct);
        else if (changes.Count > 0) await projections.ApplyAsync(round, resource, Latest(changes), touched, ct);
        parking.Save(round);
        return parking;
    }

    private async Task ApplyOneByOneAsync(
        Round round, string resource, List<Change> changes, Parking parking, Touched touched, CancellationToken ct)
    {
        foreach (var change in changes)
        {
            if (parking.Follows(change.Entry)) continue;
            round.Add("SAVEPOINT event");
            try
            {
                await projections.ApplyAsync(round, resource, [change], touched, ct);
                round.Add("RELEASE SAVEPOINT event");
                await round.RunAsync(ct);
            }
            catch (PostgresException exception) when (Parking.IsDataFault(exception))
            {
                await round.RollBackToAsync("event", ct);
                parking.Park(change.Entry, exception.MessageText);
            }
        }
    }

    private void Report(string resource, int events, Parking parking)
    {
        metrics.Applied(resource, events - parking.Parked.Count);
        if (parking.Parked.Count == 0) return;
        metrics.Parked(resource, parking.Parked.Count);
        foreach (var (entry, _) in parking.Parked) logger.EventParked(resource, entry.AggregateId, entry.Position);
    }

    private static List<Change> Latest(List<Change> changes)
    {
        var latest = new Dictionary<int, Change>(changes.Count);
        foreach (var change in changes) latest[change.State.Id] = change;
        return [.. latest.Values.OrderBy(change => change.Entry.Position)];
    }

    private static Dictionary<string, (long Before, long After)> Reached(
        IReadOnlyList<EventBatch> batches, ProjectionState state, Dictionary<string, long> reached) =>
        batches.ToDictionary(batch => batch.Resource, batch =>
        {
            var before = state.Checkpoint(batch.Resource);
            return (before, reached.GetValueOrDefault(batch.Resource, before));
        });
}
