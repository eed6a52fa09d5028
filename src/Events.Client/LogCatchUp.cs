using ApexShop.Events.Client.Receiving;

namespace ApexShop.Events.Client;

/// <summary>Applies what the log has after the consumer's positions, to its current end.</summary>
internal sealed class LogCatchUp(
    EventConsumerOptions options, IConsumerStore store, EventApplier applier, EventFeed feed)
{
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
                await ThrowIfIncompleteAsync(ct);
                options.Report($"The data of the earlier log is removed and made again: {replaced.Message}");
                await ClearAsync(positions, ct);
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

    // Each page is applied in one transaction.
    private async Task<LogPosition> ReadAsync(string resource, LogPosition? place, CancellationToken ct)
    {
        var isFirst = options.Compacted && (place is null or { IsFirstRead: true });
        while (true)
        {
            var (log, events) = await ReadPageAsync(resource, place, isFirst, ct);
            var position = events is [.., var last] ? last.Position : place?.Position ?? 0;
            // Also without an event: the identity of the log is saved.
            var end = new LogPosition(log, position, isFirst);
            if (end != place) place = await applier.ApplyAsync(resource, place, end, events, ct);
            if (events.Count == EventFeed.PageSize) continue;
            // A save of its own, because events of the last page may be saved one by one.
            return isFirst ? await applier.ApplyAsync(resource, end, new(log, position), [], ct) : end;
        }
    }

    private async Task<(string Log, List<ShopEvent> Events)> ReadPageAsync(
        string resource, LogPosition? place, bool isCompacted, CancellationToken ct)
    {
        using var response = await feed.ReadAsync(
            resource,
            place?.Log,
            place?.Position ?? 0,
            isCompacted,
            options.Compacted || options.Incomplete,
            ct);
        var events = new List<ShopEvent>();
        await foreach (var json in response.EventsAsync(ct))
        {
            var change = new ShopEvent(json);
            // It was restored while it was read.
            if (change.Log != response.Log) throw new IOException($"The log is {change.Log} now.");
            events.Add(change);
        }

        return (response.Log, events);
    }

    // Data of events that the log no longer has could not be made again, so it is not removed.
    private async Task ThrowIfIncompleteAsync(CancellationToken ct)
    {
        if (options.Compacted || options.Incomplete) return;
        foreach (var resource in options.Resources)
            (await feed.ReadAsync(resource, null, 0, isCompacted: false, isIncomplete: false, ct)).Dispose();
    }

    private async Task ClearAsync(Dictionary<string, LogPosition> refused, CancellationToken ct)
    {
        await using var transaction = await store.BeginAsync(ct);
        // Another instance has removed all data meanwhile, and has made some of it again.
        if (options.Resources.Any(name =>
            transaction.Positions.GetValueOrDefault(name) != refused.GetValueOrDefault(name))) return;
        await transaction.ClearAsync(ct);
        await transaction.CommitAsync(ct);
    }
}
