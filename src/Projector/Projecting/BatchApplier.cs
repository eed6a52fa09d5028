using ApexShop.Projector.EventLog;

namespace ApexShop.Projector.Projecting;

/// <summary>Applies batches completely: in one transaction, and in further ones after a hole.</summary>
internal sealed class BatchApplier(BatchTransaction transaction, HoleFiller holes, ProjectorMetrics metrics)
{
    /// <summary>Applies the batch and raises its cache tags.</summary>
    public async Task ApplyAsync(EventBatch batch, CancellationToken ct) =>
        await (await ApplyAsync([batch], ct)).Raised;

    /// <summary>
    /// Applies batches, each of another resource. Their messages must not be acknowledged before the cache tags are
    /// raised, which may still be running.
    /// </summary>
    /// <exception cref="EventLogException">The log is unavailable, or lacks the events before a message.</exception>
    public async Task<AppliedBatches> ApplyAsync(IReadOnlyList<EventBatch> batches, CancellationToken ct)
    {
        try
        {
            return await ApplyAllAsync(batches, ct);
        }
        catch (OtherLogException contradiction)
        {
            throw await holes.ExplainAsync(contradiction, ct);
        }
    }

    private async Task<AppliedBatches> ApplyAllAsync(IReadOnlyList<EventBatch> batches, CancellationToken ct)
    {
        using var span = ProjectionSpans.Apply(batches);
        var applied = await transaction.RunAsync(batches, ct);
        var raised = new List<Task> { applied.Raised };
        foreach (var batch in batches)
        {
            var (before, after) = applied.Positions[batch.Resource];
            metrics.Repeated(batch.Resource, batch.Entries.Count(entry => entry.Position <= before));
            if (after < batch.Last) raised.AddRange(await holes.CompleteAsync(batch, before, after, ct));
        }

        return raised.Count == 1 ? applied : applied with { Raised = Task.WhenAll(raised) };
    }
}
