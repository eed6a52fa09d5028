using ApexShop.Projector.EventLog;
using ApexShop.Resources;

namespace ApexShop.Projector.Projecting;

/// <summary>
/// Reads the event log while messages do not arrive: when it went on beyond all checkpoints, none of them has moved
/// for a second, and this process has no message to apply. So a broker that is lost, or whose queue has no leader,
/// delays documents by seconds. Messages that arrive later are repeats. In a shop without changes this costs a request
/// and a query a second.
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

    // At the last check: the end of the log, and the highest checkpoint.
    private (long Head, long Applied) last;

    // From the first read until a message is applied; meanwhile later events are read without another second.
    private bool isReading;

    private string? reported;

    public async Task CheckAsync(CancellationToken ct)
    {
        var head = await log.HeadAsync(ct);
        var applied = await checkpoints.HighestAsync(ct);
        if (applied != last.Applied || hasDeliveries()) isReading = false;
        else if (head > applied && (isReading || last.Head > applied))
        {
            if (!isReading) logger.MessagesLate(applied, head);
            isReading = true;
            await ApplyAsync(ct);
            applied = await checkpoints.HighestAsync(ct);
        }

        last = (head, applied);
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

    private async Task ApplyAsync(CancellationToken ct)
    {
        foreach (var resource in Resource.Names)
        {
            await applier.ApplyAsync(
                resource, await checkpoints.PositionAsync(resource, ct), _ => Task.FromResult(long.MaxValue), ct);
        }
    }
}
