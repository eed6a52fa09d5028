using System.Text.Json;

namespace ApexShop.StockWatcher;

/// <summary>
/// Continues from the log to the queue without gap or repeat. The queue is bound first, so events that happen while the
/// log is read are in the queue. After that positions are compared: an event at or below the own position is a repeat,
/// and an event whose predecessor is beyond it shows a hole, which is filled from the log. So a lost message or a lost
/// queue does no harm.
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
        await foreach (var change in feed.ReadAsync(stock.Position, ct))
        {
            stock.Apply(change);
            if (++unsaved % SaveEvery == 0) stock.Save();
        }

        stock.Save();
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
            if (change.Position <= stock.Position) continue;
            if (change.Previous > stock.Position) await CatchUpAsync(ct);
            if (change.Position > stock.Position) stock.Apply(change);
        }

        stock.Save();
    }
}
