using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using Npgsql;

namespace ApexShop.Projector.Projecting;

/// <summary>Applies batches wholly: what their transaction left over because of a hole, after filling it from the event log.</summary>
internal sealed class BatchApplier(
    BatchTransaction transaction,
    Projections projections,
    EventLogClient log,
    ProjectorMetrics metrics,
    ILogger<BatchApplier> logger)
{
    /// <summary>Applies the batch and raises its cache tags.</summary>
    public async Task ApplyAsync(EventBatch batch, CancellationToken ct) => await (await ApplyAsync([batch], ct)).Raised;

    /// <summary>
    /// Applies batches, each of another resource, in one transaction unless there is a hole. The outcome's cache tags
    /// may still be on their way: nothing must be acknowledged before they are raised.
    /// </summary>
    public async Task<AppliedBatches> ApplyAsync(IReadOnlyList<EventBatch> batches, CancellationToken ct)
    {
        using var span = ProjectionSpans.Apply(batches);
        var applied = await RunAsync(batches, ct);
        var raised = new List<Task> { applied.Raised };
        foreach (var batch in batches)
        {
            var (before, after) = applied.Reached[batch.Resource];
            metrics.Repeated(batch.Resource, batch.Entries.Count(entry => entry.Position <= before));
            if (after < batch.Last) raised.AddRange(await CompleteAsync(batch, before, after, ct));
        }

        return raised.Count == 1 ? applied : applied with { Raised = Task.WhenAll(raised) };
    }

    private async Task<List<Task>> CompleteAsync(EventBatch batch, long before, long after, CancellationToken ct)
    {
        var raised = new List<Task>();
        while (after < batch.Last)
        {
            if (after == before) raised.Add(await FillHoleAsync(batch, after, ct));
            var applied = await RunAsync([batch], ct);
            (before, after) = applied.Reached[batch.Resource];
            raised.Add(applied.Raised);
        }

        return raised;
    }

    private async Task<Task> FillHoleAsync(EventBatch batch, long checkpoint, CancellationToken ct)
    {
        var missing = await log.ReadOnAsync(batch.Resource, checkpoint, EventLogClient.Chunk, ct);
        if (missing.Count == 0)
        {
            throw new EventLogException(
                $"The event log has no {batch.Resource} after {checkpoint}, yet {batch.Last} was published.");
        }

        metrics.HoleFilled(batch.Resource);
        logger.HoleFilled(batch.Resource, checkpoint, missing.Count);
        return (await RunAsync([EventBatch.FromLog(missing)], ct)).Raised;
    }

    private async Task<AppliedBatches> RunAsync(IReadOnlyList<EventBatch> batches, CancellationToken ct)
    {
        foreach (var batch in batches) batch.Read(projections[batch.Resource]);
        try
        {
            return await transaction.RunAsync(batches, oneByOne: false, ct);
        }
        catch (PostgresException exception) when (StatementBatch.IsDataFault(exception))
        {
            // One of the events is at fault; alone, each shows whether it is the one.
            return await transaction.RunAsync(batches, oneByOne: true, ct);
        }
    }
}

/// <summary>
/// How far a transaction brought each resource, from where, and the raising of its cache tags, which ends by itself.
/// </summary>
internal sealed record AppliedBatches(IReadOnlyDictionary<string, (long Before, long After)> Reached, Task Raised);
