using ApexShop.Projector.EventLog;

namespace ApexShop.Projector.Projecting;

/// <summary>Applies events from the event log whose messages did not arrive.</summary>
internal sealed class LogApplier(
    ICheckpoints checkpoints, IEventLog log, BatchApplier applier, ILogger<LogApplier> logger)
{
    /// <summary>
    /// Applies the events of the resource after the checkpoint, up to the position that <paramref name="lastAsync"/>
    /// returns before each part of the log is read.
    /// </summary>
    public async Task ApplyAsync(
        string resource, long checkpoint, Func<CancellationToken, Task<long>> lastAsync, CancellationToken ct)
    {
        var read = log.ReadWithLastAsync;
        while (await lastAsync(ct) is var last && last > checkpoint)
        {
            var entries = await read(resource, checkpoint, EventLogClient.Chunk, ct);
            entries = [.. entries.TakeWhile(entry => entry.Position <= last)];
            if (entries.Count == 0 || entries[^1].Position <= checkpoint) return;
            logger.CaughtUp(resource, checkpoint, entries.Count);
            await applier.ApplyAsync(EventBatch.FromLog(entries, checkpoint), ct);
            checkpoint = await checkpoints.PositionAsync(resource, ct);
            // Other tables are in use now, with earlier documents.
            if (checkpoint < entries[^1].Position) return;
            read = log.ReadAsync;
        }
    }
}
