using System.Runtime.ExceptionServices;
using ApexShop.Projector.EventLog;

namespace ApexShop.Projector.Projecting;

/// <summary>
/// Reads the event log while messages do not arrive: when it went on beyond all checkpoints, the highest of them has
/// not moved for a second, and this process has no message to apply. So a broker that is lost, or whose queue has no
/// leader, delays documents by seconds. Messages that arrive later are repeats. In a shop without changes this costs a
/// request and a query a second.
/// </summary>
internal sealed class StallWatch(
    ICheckpoints checkpoints,
    IEventLog log,
    LogApplier applier,
    Func<bool> hasDeliveries,
    TimeProvider clock,
    ILogger<StallWatch> logger) : BackgroundService
{
    private static readonly TimeSpan interval = TimeSpan.FromSeconds(1);

    // At the last check: the highest checkpoint, and whether the log had events after it.
    private (long Applied, bool HasMore) last;

    // From the first read until a message is applied; meanwhile later events are read without another second.
    private bool isReading;

    // Whether the last read failed for a resource, which may be behind the others.
    private bool isIncomplete;

    private string? reported;

    public async Task CheckAsync(CancellationToken ct)
    {
        var applied = await checkpoints.HighestAsync(ct);
        var hasMore = await log.NextAsync(applied, ct) is not null;
        Exception? failure = null;
        if (applied != last.Applied || hasDeliveries()) (isReading, isIncomplete) = (false, false);
        else if (isIncomplete || (hasMore && (isReading || last.HasMore)))
        {
            // Later events are for the next check: by then messages may arrive again.
            var head = await log.HeadAsync(ct);
            if (!isReading) logger.MessagesLate(applied, head);
            isReading = true;
            failure = await EachResource.TryAsync(resource => ApplyAsync(resource, head, ct), ct);
            isIncomplete = failure is not null;
            applied = await checkpoints.HighestAsync(ct);
        }

        last = (applied, hasMore);
        if (failure is not null) ExceptionDispatchInfo.Throw(failure);
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(interval, clock);
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            try
            {
                await CheckAsync(stoppingToken);
                reported = null;
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                if (exception.Message != reported) logger.LogNotWatched(exception.Message);
                reported = exception.Message;
            }
        }
    }

    private async Task ApplyAsync(string resource, long head, CancellationToken ct)
    {
        var checkpoint = await checkpoints.PositionAsync(resource, ct);
        await applier.ApplyAsync(resource, checkpoint, _ => Task.FromResult(hasDeliveries() ? 0 : head), ct);
    }
}
