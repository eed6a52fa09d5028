using System.Runtime.ExceptionServices;
using ApexShop.Hosting;
using ApexShop.Projector.EventLog;
using ApexShop.Resources;

namespace ApexShop.Projector.Projecting;

/// <summary>
/// Compares the event log with the checkpoints at the start and every 30 seconds. An event that was in the log at the
/// previous comparison and is still not applied was lost as a message, and is read from the log: after the loss of the
/// queue, or with an empty read database. While the queue has messages, or some were delivered and are not applied,
/// events after all that are applied are expected from them: to read them here too would apply a backlog twice.
/// </summary>
internal sealed class LogWatch(
    ICheckpoints checkpoints,
    IEventLog log,
    LogApplier applier,
    Func<CancellationToken, Task<bool>> hasMessages,
    TimeProvider clock,
    ILogger<LogWatch> logger) : BackgroundService
{
    private static readonly TimeSpan interval = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan soon = TimeSpan.FromSeconds(1);

    // By resource, the position from which on events are overdue; at the start all are.
    private readonly Dictionary<string, long> overdue =
        Resource.Names.ToDictionary(resource => resource, _ => long.MaxValue);

    private long epoch;

    // Of the last read: whether later events are expected from the queue.
    private bool isBounded;

    // Whether all missing events are to be read, and the queue still has messages.
    private bool isDelayed;

    private readonly WakeSignal waking = new();

    /// <summary>Compares now and reads all missing events, because a message was rejected.</summary>
    public void Wake() => waking.Set();

    public async Task CompareAsync(CancellationToken ct)
    {
        await ResetIfTablesChangedAsync(ct);
        isDelayed = false;
        if (await EachResource.TryAsync(resource => CompareAsync(resource, ct), ct) is { } failure)
            ExceptionDispatchInfo.Throw(failure);
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        while (true)
        {
            try
            {
                await CompareAsync(stoppingToken);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                logger.LogNotWatched(exception.Message);
            }

            if (await waking.WaitAsync(isDelayed ? soon : interval, clock, stoppingToken)) Reset();
        }
    }

    private async Task CompareAsync(string resource, CancellationToken ct)
    {
        var checkpoint = await checkpoints.PositionAsync(resource, ct);
        isBounded = false;
        if (overdue[resource] > checkpoint) await applier.ApplyAsync(resource, checkpoint, LastAsync, ct);
        if (isBounded && overdue[resource] == long.MaxValue)
        {
            isDelayed = true;
            return;
        }

        var next = await log.ReadAsync(resource, await checkpoints.PositionAsync(resource, ct), 1, ct);
        overdue[resource] = next.Count == 0 ? 0 : next[0].Position;
    }

    // After a table switch the checkpoints may be lower, and the messages beyond them were acknowledged long ago.
    private async Task ResetIfTablesChangedAsync(CancellationToken ct)
    {
        var found = await checkpoints.EpochAsync(ct);
        if (found != epoch) Reset();
        epoch = found;
    }

    private void Reset()
    {
        foreach (var resource in Resource.Names) overdue[resource] = long.MaxValue;
    }

    // The position up to which missing events are read.
    private async Task<long> LastAsync(CancellationToken ct)
    {
        isBounded = await hasMessages(ct);
        return isBounded ? await checkpoints.HighestAsync(ct) : long.MaxValue;
    }
}
