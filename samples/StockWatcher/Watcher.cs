using System.Text.Json;

namespace ApexShop.StockWatcher;

/// <summary>
/// Continues from the log to the queue without gap or repeat. The queue is bound first, so events that happen while the
/// log is read are in the queue. After that positions are compared: an event at or below the own position is a repeat,
/// and an event whose predecessor is beyond it shows a hole, which is filled from the log. So a lost message or a lost
/// queue does no harm. Positions are those of one log: when its identity changes, the log is asked whether it has the
/// events up to the own position, and if not, the state is made again from the beginning.
/// </summary>
internal sealed class Watcher(Feed feed, Queue queue, Stock stock)
{
    private const int SaveEvery = 500;

    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    public async Task RunAsync(CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            try
            {
                await WatchAsync(ct);
            }
            catch (Exception exception) when (exception is not InvalidOperationException && !ct.IsCancellationRequested)
            {
                await Console.Error.WriteLineAsync(
                    $"{exception.Message} Trying again after position {stock.Position}.");
                await Task.Delay(pause, ct).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
            catch (OperationCanceledException)
            {
                return;
            }
        }
    }

    private async Task WatchAsync(CancellationToken ct)
    {
        await using var binding = await queue.BindAsync(ct);
        await CatchUpAsync(ct);
        Console.WriteLine($"At the end of the log, position {stock.Position}; taking messages.");
        await foreach (var message in (await binding.ConsumeAsync(ct)).ReadAllAsync(ct))
        {
            await TakeAsync(message.Body, ct);
            // Only now: a message that was not acknowledged is delivered again, and is then a repeat.
            await binding.AcknowledgeAsync(message, ct);
        }
    }

    private async Task CatchUpAsync(CancellationToken ct)
    {
        var unsaved = 0;
        using var log = await ContinueAsync(ct);
        stock.Continue(log.Log);
        await foreach (var change in log.EventsAsync(ct))
        {
            // It was restored while it was read.
            if (change.Log != stock.Log) throw new IOException($"The log is {change.Log} now.");
            stock.Apply(change);
            if (++unsaved % SaveEvery == 0) stock.Save();
        }

        stock.Save();
    }

    // A service whose state is larger would begin with the compacted log, and keep the old state until then.
    private async Task<Feed.Response> ContinueAsync(CancellationToken ct)
    {
        try
        {
            return await feed.ReadAsync(stock.Log, stock.Position, ct);
        }
        catch (LogReplacedException replaced)
        {
            await Console.Error.WriteLineAsync($"The state is made again: {replaced.Message}");
            stock.Clear();
            return await feed.ReadAsync(null, 0, ct);
        }
    }

    private async Task TakeAsync(ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        List<ShopEvent> changes;
        try
        {
            changes = ShopEvent.OfMessage(body);
        }
        catch (JsonException)
        {
            // Its events are in the log.
            await CatchUpAsync(ct);
            return;
        }

        foreach (var change in changes)
        {
            if (change.Log != stock.Log) await CatchUpAsync(ct);
            // A message from before the restore: what the log still has of it was read.
            if (change.Log != stock.Log) continue;
            if (change.Position <= stock.Position) continue;
            if (change.Previous > stock.Position) await CatchUpAsync(ct);
            if (change.Position > stock.Position) stock.Apply(change);
        }

        stock.Save();
    }
}
