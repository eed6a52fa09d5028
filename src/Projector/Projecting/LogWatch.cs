using System.Threading.Channels;
using ApexShop.Projector.EventLog;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Projecting;

/// <summary>
/// Compares the event log with the checkpoints at the start and every 30 seconds. An event that was in the log at the
/// previous comparison and is still not applied was lost as a message, and is read from the log: after the loss of the
/// queue, or with an empty read database.
/// </summary>
internal sealed class LogWatch(
    NpgsqlDataSource database, EventLogClient log, BatchApplier applier, TimeProvider clock, ILogger<LogWatch> logger)
    : BackgroundService
{
    private static readonly TimeSpan interval = TimeSpan.FromSeconds(30);

    // By resource, the position from which on events are overdue; at the start all are.
    private readonly Dictionary<string, long> overdue =
        Resource.Names.ToDictionary(resource => resource, _ => long.MaxValue);

    private long epoch;

    private readonly Channel<bool> wakes =
        Channel.CreateBounded<bool>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });

    /// <summary>Compares now and reads all missing events, because a message was rejected.</summary>
    public void Wake() => wakes.Writer.TryWrite(true);

    public async Task CompareAsync(CancellationToken ct)
    {
        await ResetIfTablesChangedAsync(ct);
        foreach (var resource in Resource.Names)
        {
            var checkpoint = await CheckpointAsync(resource, ct);
            if (overdue[resource] > checkpoint) await CatchUpAsync(resource, checkpoint, ct);

            var next = await log.ReadAsync(resource, await CheckpointAsync(resource, ct), 1, ct);
            overdue[resource] = next.Count == 0 ? 0 : next[0].Position;
        }
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        do
        {
            try
            {
                await CompareAsync(stoppingToken);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                logger.LogNotWatched(exception.Message);
            }
        }
        while (await NextAsync(stoppingToken));
    }

    private async Task<bool> NextAsync(CancellationToken ct)
    {
        try
        {
            await wakes.Reader.WaitToReadAsync(ct).AsTask().WaitAsync(interval, clock, ct);
        }
        catch (TimeoutException)
        {
            return true;
        }

        wakes.Reader.TryRead(out _);
        Reset();
        return true;
    }

    // After a table switch the checkpoints may be lower, and the messages beyond them were acknowledged long ago.
    private async Task ResetIfTablesChangedAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand("SELECT epoch FROM read.projection_state");
        var found = (long)(await command.ExecuteScalarAsync(ct))!;
        if (found != epoch) Reset();
        epoch = found;
    }

    private void Reset()
    {
        foreach (var resource in Resource.Names) overdue[resource] = long.MaxValue;
    }

    private async Task CatchUpAsync(string resource, long checkpoint, CancellationToken ct)
    {
        var entries = await log.ReadWithLastAsync(resource, checkpoint, EventLogClient.Chunk, ct);
        while (entries.Count > 0)
        {
            logger.CaughtUp(resource, checkpoint, entries.Count);
            await applier.ApplyAsync(EventBatch.FromLog(entries), ct);
            checkpoint = entries[^1].Position;
            entries = await log.ReadAsync(resource, checkpoint, EventLogClient.Chunk, ct);
        }
    }

    private async Task<long> CheckpointAsync(string resource, CancellationToken ct)
    {
        await using var command = database.CreateCommand("SELECT position FROM read.checkpoints WHERE resource = $1");
        command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = resource });
        return (long)(await command.ExecuteScalarAsync(ct))!;
    }
}
