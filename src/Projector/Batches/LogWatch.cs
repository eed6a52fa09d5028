using ApexShop.Events;
using ApexShop.Projector.Hosting;
using Npgsql;

namespace ApexShop.Projector.Batches;

/// <summary>
/// Looks into the event log at start and every half minute: what was there at the last look and is still not applied
/// will not come by message any more. That heals a lost queue and an empty read database.
/// </summary>
internal sealed class LogWatch(
    NpgsqlDataSource database, EventLog log, BatchApplier applier, TimeProvider clock, ILogger<LogWatch> logger)
    : BackgroundService
{
    private static readonly TimeSpan interval = TimeSpan.FromSeconds(30);

    // At the first look everything is overdue.
    private readonly Dictionary<string, long> awaited =
        Resources.All.ToDictionary(resource => resource, _ => long.MaxValue);

    private volatile TaskCompletionSource asked = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long epoch;

    /// <summary>Has the next look begin at once, whatever was there at the last one.</summary>
    public void LookNow() => asked.TrySetResult();

    public async Task LookAsync(CancellationToken ct)
    {
        await ForgetOtherTablesAsync(ct);
        foreach (var resource in Resources.All)
        {
            var checkpoint = await CheckpointAsync(resource, ct);
            if (awaited[resource] > checkpoint) await CatchUpAsync(resource, checkpoint, ct);

            var next = await log.ReadAsync(resource, await CheckpointAsync(resource, ct), 1, ct);
            awaited[resource] = next.Count == 0 ? 0 : next[0].Position;
        }
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        while (true)
        {
            try
            {
                await LookAsync(stoppingToken);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                logger.LogNotWatched(exception.Message);
            }

            await WaitAsync(stoppingToken);
        }
    }

    private async Task WaitAsync(CancellationToken ct)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(ct);
        await Task.WhenAny(asked.Task, Task.Delay(interval, clock, over.Token));
        await over.CancelAsync();
        ct.ThrowIfCancellationRequested();
        if (asked.Task.IsCompleted) asked = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    // Tables that were exchanged have positions of their own, and what is beyond them came by message long ago.
    private async Task ForgetOtherTablesAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand("SELECT epoch FROM read.projection_state");
        var found = (long)(await command.ExecuteScalarAsync(ct))!;
        if (found != epoch) foreach (var resource in Resources.All) awaited[resource] = long.MaxValue;
        epoch = found;
    }

    private async Task CatchUpAsync(string resource, long checkpoint, CancellationToken ct)
    {
        var entries = await log.ReadAsync(resource, checkpoint, EventLog.Chunk, ct);
        while (entries.Count > 0)
        {
            logger.CaughtUp(resource, checkpoint, entries.Count);
            await applier.ApplyAsync(EventBatch.FromLog(entries), ct);
            checkpoint = entries[^1].Position;
            entries = await log.ReadAsync(resource, checkpoint, EventLog.Chunk, ct);
        }
    }

    private async Task<long> CheckpointAsync(string resource, CancellationToken ct)
    {
        await using var command = database.CreateCommand("SELECT position FROM read.checkpoints WHERE resource = $1");
        command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = resource });
        return (long)(await command.ExecuteScalarAsync(ct))!;
    }
}
