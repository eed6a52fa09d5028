using ApexShop.Events.Client.Receiving;

namespace ApexShop.Events.Client;

/// <summary>
/// Applies every event exactly once to the consumer's data. The queue is bound first, so events that happen while the
/// log is read are in the queue. After that positions are compared: an event at or below the consumer's position is a
/// repeat. A message that does not follow that position, is of another log or cannot be read is not applied: every
/// event is in the log before it is in a message, so the log is read instead.
/// </summary>
public sealed class EventConsumer(EventConsumerOptions options, IConsumerStore store)
{
    // A proxy may name any time.
    private static readonly TimeSpan longestWait = TimeSpan.FromMinutes(5);

    private readonly EventApplier applier = new(options, store);
    private readonly EventQueue queue = new(options.Broker, options.Exchange, options.Queue, options.Resources);
    private readonly MessageTimer timer = new(options.Resources, options.LongestSilence);

    // As they were when this process saved them last; every transaction compares them with those in the store.
    private Dictionary<string, LogPosition> positions = [];

    /// <summary>Follows the events until the token is cancelled; failures are reported and tried again.</summary>
    public async Task RunAsync(CancellationToken ct)
    {
        using var feed = new EventFeed(options.Shop, options.Key);
        var log = new LogCatchUp(options, store, applier, feed);
        while (!ct.IsCancellationRequested)
        {
            try
            {
                await ConsumeAsync(log, ct);
            }
            catch (Exception failure) when (!ct.IsCancellationRequested)
            {
                options.Report($"{failure.Message} Trying again.");
                await Task.Delay(PauseAfter(failure), ct).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
            catch (Exception) when (ct.IsCancellationRequested)
            {
                return;
            }
        }
    }

    private TimeSpan PauseAfter(Exception failure)
    {
        var wait = failure is ShopBusyException busy ? busy.Wait : TimeSpan.Zero;
        if (wait > longestWait) wait = longestWait;
        return wait > options.Pause ? wait : options.Pause;
    }

    private async Task ConsumeAsync(LogCatchUp log, CancellationToken ct)
    {
        await using var binding = await queue.BindAsync(ct);
        await ReadLogAsync(log, ct);
        options.Report("At the end of the log; taking messages.");
        var messages = await binding.ConsumeAsync(ct);
        while (true)
        {
            if (!await timer.ArrivesAsync(messages, ct))
            {
                await ReadAgainAsync(log, ct);
            }
            else if (messages.TryRead(out var message))
            {
                var events = ShopEvent.OfMessage(message.Body);
                if (events is [var first, ..]) timer.Restart(first.Resource);
                await TakeAsync(log, events, ct);
                // Only now: a message that was not acknowledged is delivered again, and is then a repeat.
                await binding.AcknowledgeAsync(message, ct);
            }
        }
    }

    private async Task ReadLogAsync(LogCatchUp log, CancellationToken ct)
    {
        positions = await log.RunAsync(ct);
        timer.Restart();
    }

    // A message may be lost, or the log restored, and no later message shows it.
    private async Task ReadAgainAsync(LogCatchUp log, CancellationToken ct)
    {
        try
        {
            await ReadLogAsync(log, ct);
        }
        catch (Exception failure) when (!ct.IsCancellationRequested && IsOfRequest(failure))
        {
            // Messages are still taken.
            options.Report($"{failure.Message} Trying again after {options.LongestSilence}.");
            timer.Restart();
        }
    }

    private static bool IsOfRequest(Exception failure) =>
        failure is HttpRequestException or IOException or TimeoutException or OperationCanceledException;

    private async Task TakeAsync(LogCatchUp log, List<ShopEvent>? events, CancellationToken ct)
    {
        while (true)
        {
            try
            {
                if (Following(events) is not { } changes) await ReadLogAsync(log, ct);
                else if (changes is [.., var last])
                {
                    positions[last.Resource] = await applier.ApplyAsync(
                        last.Resource, positions[last.Resource], last.LogPosition, changes, ct);
                }

                return;
            }
            catch (PositionMovedException)
            {
                // A standby reads the log too. What it has applied of these events is now a repeat.
                positions = await log.PositionsAsync(ct);
            }
        }
    }

    // The events of a message that are no repeats, or null when they do not follow the position.
    private List<ShopEvent>? Following(List<ShopEvent>? events)
    {
        if (events is not [var first, ..]) return null;
        // A binding of earlier options.
        if (!options.Resources.Contains(first.Resource)) return [];
        var changes = new List<ShopEvent>(events.Count);
        // None when another instance has removed all data of a log that was replaced.
        if (!positions.TryGetValue(first.Resource, out var place)) return null;
        var (log, position, _) = place;
        foreach (var change in events)
        {
            if (change.Log != log || change.Resource != first.Resource) return null;
            if (change.Position <= position) continue;
            if (change.Previous > position) return null;
            changes.Add(change);
            position = change.Position;
        }

        return changes;
    }
}
