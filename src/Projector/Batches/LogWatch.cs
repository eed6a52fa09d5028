using System.Threading.Channels;
using ApexShop.Projector.Hosting;
using ApexShop.Resources;
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
        Resource.Names.ToDictionary(resource => resource, _ => long.MaxValue);

    private readonly Channel<bool> wakes =
        Channel.CreateBounded<bool>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });

    /// <summary>
    /// Has the log looked into now, and everything fetched that is there: a message was given up, and what else came with
    /// it need not wait for the next one.
    /// </summary>
    public void Wake() => wakes.Writer.TryWrite(true);

    private long epoch;

    public async Task LookAsync(CancellationToken ct)
    {
        await ForgetOtherTablesAsync(ct);
        foreach (var resource in Resource.Names)
        {
            var checkpoint = await CheckpointAsync(resource, ct);
            if (awaited[resource] > checkpoint) await CatchUpAsync(resource, checkpoint, ct);

            var next = await log.ReadAsync(resource, await CheckpointAsync(resource, ct), 1, ct);
            awaited[resource] = next.Count == 0 ? 0 : next[0].Position;
        }
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        do
        {
            try
            {
                await LookAsync(stoppingToken);
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
        Forget();
        return true;
    }

    // Tables that were exchanged have positions of their own, and what is beyond them came by message long ago.
    private async Task ForgetOtherTablesAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand("SELECT epoch FROM read.projection_state");
        var found = (long)(await command.ExecuteScalarAsync(ct))!;
        if (found != epoch) Forget();
        epoch = found;
    }

    private void Forget()
    {
        foreach (var resource in Resource.Names) awaited[resource] = long.MaxValue;
    }

    private async Task CatchUpAsync(string resource, long checkpoint, CancellationToken ct)
    {
        var entries = await log.ReadOnAsync(resource, checkpoint, EventLog.Chunk, ct);
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
