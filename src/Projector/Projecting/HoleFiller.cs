using ApexShop.Projector.EventLog;

namespace ApexShop.Projector.Projecting;

/// <summary>
/// Fills a hole: a batch whose first events do not follow the checkpoint is applied after the missing events, which are
/// read from the event log.
/// </summary>
internal sealed class HoleFiller(
    BatchTransaction transaction, IEventLog log, ProjectorMetrics metrics, ILogger<HoleFiller> logger)
{
    /// <summary>
    /// Applies the rest of a batch whose transaction brought the checkpoint from <paramref name="before"/> to
    /// <paramref name="after"/>. The tasks end when the cache tags are raised.
    /// </summary>
    public async Task<List<Task>> CompleteAsync(EventBatch batch, long before, long after, CancellationToken ct)
    {
        var raised = new List<Task>();
        while (after < batch.Last)
        {
            // Without this check, a message that is in no log would be waited for as long as others write to the log.
            if (raised.Count > 0 && await log.HeadAsync(ct) is var head && head < batch.Last)
                throw Missing($"The event log ends at {head}, yet {batch.Last} of {batch.Resource} was published.");
            if (after == before) raised.Add(await FillAsync(batch, after, ct));
            var applied = await transaction.RunAsync([batch], ct);
            (before, after) = applied.Positions[batch.Resource];
            raised.Add(applied.Raised);
        }

        return raised;
    }

    /// <summary>
    /// Why events contradict the event at the checkpoint: the documents must be rebuilt, or, when the log has that
    /// event, the message is of another log. A broker may still have messages from before a restore.
    /// </summary>
    public async Task<EventLogException> ExplainAsync(OtherLogException contradiction, CancellationToken ct)
    {
        var (resource, checkpoint) = (contradiction.Resource, contradiction.Checkpoint);
        var found = await log.NextAsync(checkpoint - 1, ct);
        if (found?.Position != checkpoint || found.Resource != resource
            || (contradiction.Id is { } id && found.Id != id))
            return new(contradiction.Message, contradiction);
        return Missing($"The message is of another event log: it has no place for event {checkpoint} of {resource}.");
    }

    private async Task<Task> FillAsync(EventBatch batch, long checkpoint, CancellationToken ct)
    {
        var missing = await log.ReadWithLastAsync(batch.Resource, checkpoint, EventLogClient.Chunk, ct);
        if (missing.Count == 0)
            throw Missing($"The event log has no {batch.Resource} after {checkpoint}, yet {batch.Last} was published.");

        metrics.HoleFilled(batch.Resource);
        logger.HoleFilled(batch.Resource, checkpoint, missing.Count);
        return (await transaction.RunAsync([EventBatch.FromLog(missing, checkpoint)], ct)).Raised;
    }

    private static EventLogException Missing(string message) => new(message) { HasResponded = true };
}
