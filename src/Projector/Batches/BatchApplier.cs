using System.Text.Json;
using ApexShop.Events;
using ApexShop.Projector.Caching;
using ApexShop.Projector.Hosting;
using ApexShop.Projector.ReadModels;
using Npgsql;

namespace ApexShop.Projector.Batches;

/// <summary>
/// Applies a batch in one transaction with its checkpoint, after filling a hole before it from the event log, and
/// raises the cache tags after it.
/// </summary>
internal sealed class BatchApplier(
    NpgsqlDataSource database,
    Projections projections,
    EventLog log,
    TagRaiser tags,
    ProjectorMetrics metrics,
    ILogger<BatchApplier> logger)
{
    public async Task ApplyAsync(EventBatch batch, CancellationToken ct)
    {
        var (before, after) = await ApplyRunAsync(batch, ct);
        metrics.Repeated(batch.Resource, batch.Entries.Count(entry => entry.Position <= before));
        while (after < batch.Last)
        {
            if (after == before) await FillHoleAsync(batch, after, ct);
            (before, after) = await ApplyRunAsync(batch, ct);
        }
    }

    private async Task FillHoleAsync(EventBatch batch, long checkpoint, CancellationToken ct)
    {
        var missing = await log.ReadAsync(batch.Resource, checkpoint, EventLog.Chunk, ct);
        if (missing.Count == 0)
        {
            throw new EventLogException(
                $"The event log has no {batch.Resource} after {checkpoint}, yet {batch.Last} was published.");
        }

        metrics.HoleFilled(batch.Resource);
        logger.HoleFilled(batch.Resource, checkpoint, missing.Count);
        await ApplyRunAsync(EventBatch.FromLog(missing), ct);
    }

    private async Task<(long Before, long After)> ApplyRunAsync(EventBatch batch, CancellationToken ct)
    {
        try
        {
            return await TransactAsync(batch, oneByOne: false, ct);
        }
        catch (PostgresException exception) when (Parking.IsDataFault(exception))
        {
            // One of the events is at fault; alone, each shows whether it is the one.
            return await TransactAsync(batch, oneByOne: true, ct);
        }
    }

    private async Task<(long Before, long After)> TransactAsync(EventBatch batch, bool oneByOne, CancellationToken ct)
    {
        await using var connection = await database.OpenConnectionAsync(ct);
        // Disposing it rolls back whatever did not come as far as the commit.
        await using var transaction = await connection.BeginTransactionAsync(ct);
        var round = new Round(connection);
        var state = await ProjectionState.LockAsync(round, batch, ct);
        var run = batch.Beyond(state.Checkpoint);
        if (run.Count == 0)
        {
            await transaction.RollbackAsync(ct);
            // A repeat may be all that is left of a process that died between its commit and the raise.
            await tags.RaiseAsync(state.Pending, ct);
            return (state.Checkpoint, state.Checkpoint);
        }

        var parking = new Parking(state.Parked);
        var touched = new Touched();
        var changes = Read(projections[batch.Resource], run, parking);
        if (oneByOne) await ApplyOneByOneAsync(round, batch.Resource, changes, parking, touched, ct);
        else if (changes.Count > 0) await projections.ApplyAsync(round, batch.Resource, Latest(changes), touched, ct);

        var last = run[^1].Position;
        touched.RaiseSegments(round, last);
        parking.Save(round);
        var pending = await ProjectionState.CommitAsync(
            round, batch.Resource, last, tags.Unraised(state.Pending).With(touched.Tags), ct);
        Report(batch.Resource, run.Count, parking);
        await tags.RaiseAsync(pending, ct);
        return (state.Checkpoint, last);
    }

    private static List<Change> Read(IProjection projection, IReadOnlyList<LogEntry> run, Parking parking)
    {
        var changes = new List<Change>(run.Count);
        foreach (var entry in run)
        {
            if (parking.Follows(entry)) continue;
            try
            {
                changes.Add(new(entry, projection.Read(entry)));
            }
            catch (JsonException exception)
            {
                parking.Park(entry, exception.Message);
            }
        }

        return changes;
    }

    private static List<Change> Latest(List<Change> changes)
    {
        var latest = new Dictionary<int, Change>(changes.Count);
        foreach (var change in changes) latest[change.State.Id] = change;
        return [.. latest.Values.OrderBy(change => change.Entry.Position)];
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
                round.Clear();
                round.Add("ROLLBACK TO SAVEPOINT event");
                parking.Park(change.Entry, exception.MessageText);
            }
        }
    }

    private void Report(string resource, int events, Parking parking)
    {
        metrics.Applied(resource, events - parking.Parked.Count);
        if (parking.Parked.Count == 0) return;
        metrics.Parked(resource, parking.Parked.Count);
        foreach (var (entry, reason) in parking.Parked)
        {
            logger.EventParked(resource, entry.AggregateId, entry.Position, reason);
        }
    }
}
