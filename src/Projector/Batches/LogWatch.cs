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

    public async Task LookAsync(CancellationToken ct)
    {
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
        using var timer = new PeriodicTimer(interval, clock);
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
        while (await timer.WaitForNextTickAsync(stoppingToken));
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
