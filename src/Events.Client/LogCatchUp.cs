using ApexShop.Events.Client.Receiving;

namespace ApexShop.Events.Client;

/// <summary>Applies what the log has after the consumer's positions, to its current end.</summary>
internal sealed class LogCatchUp(
    EventConsumerOptions options, IConsumerStore store, EventApplier applier, EventFeed feed)
{
    private const int Batch = 500;

    /// <summary>Returns the positions at the end of the log.</summary>
    public async Task<Dictionary<string, LogPosition>> RunAsync(CancellationToken ct)
    {
        while (true)
        {
            var positions = await PositionsAsync(ct);
            try
            {
                foreach (var resource in options.Resources)
                    positions[resource] = await ReadAsync(resource, positions.GetValueOrDefault(resource), ct);
                return positions;
            }
            catch (LogReplacedException replaced)
            {
                options.Report($"All data is removed and made again: {replaced.Message}");
                await ClearAsync(ct);
            }
            catch (PositionMovedException)
            {
                // The other instance goes on meanwhile, so nothing waits for this one.
                await Task.Delay(options.Pause, ct);
            }
        }
    }

    /// <summary>The positions as an instance of this consumer saved them last.</summary>
    public async Task<Dictionary<string, LogPosition>> PositionsAsync(CancellationToken ct)
    {
        await using var transaction = await store.BeginAsync(ct);
        return transaction.Positions;
    }

    private async Task<LogPosition> ReadAsync(string resource, LogPosition? place, CancellationToken ct)
    {
        using var response = await feed.ReadAsync(
            resource,
            place?.Log,
            place?.Position ?? 0,
            options.Compacted && place is null,
            options.Compacted || options.Incomplete,
            ct);
        var batch = new List<ShopEvent>(Batch);
        await foreach (var json in response.EventsAsync(ct))
        {
            var change = new ShopEvent(json);
            // It was restored while it was read.
            if (change.Log != response.Log) throw new IOException($"The log is {change.Log} now.");
            batch.Add(change);
            if (batch.Count < Batch) continue;
            place = await applier.ApplyAsync(resource, place, change.LogPosition, batch, ct);
            batch.Clear();
        }

        // Also without an event: the identity of the log is saved.
        var end = batch is [.., var last] ? last.LogPosition : new LogPosition(response.Log, place?.Position ?? 0);
        return await applier.ApplyAsync(resource, place, end, batch, ct);
    }

    private async Task ClearAsync(CancellationToken ct)
    {
        await using var transaction = await store.BeginAsync(ct);
        await transaction.ClearAsync(ct);
        await transaction.CommitAsync(ct);
    }
}
