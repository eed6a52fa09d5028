using System.Buffers;
using ApexShop.Events;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Publishes the events after the cursor in batches, in order within each resource. The cursor moves after the last
/// confirm: a crash may repeat messages, and loses none.
/// </summary>
internal sealed class EventPublisher(
    ILeaderConnections sessions,
    IEventBus bus,
    LogHeadSignal head,
    LeaderLease lease,
    BrokerProbe broker,
    PublishMetrics metrics,
    TimeProvider clock,
    IOptions<OutboxOptions> options,
    ILogger<EventPublisher> logger)
{
    private static readonly TimeSpan firstBackOff = TimeSpan.FromMilliseconds(50);

    /// <summary>Whether the broker confirms a message of this process, which a standby tests first.</summary>
    public async Task<bool> ReachesBrokerAsync(CancellationToken ct)
    {
        try
        {
            await bus.ProbeAsync(options.Value.ProbeTimeout, ct);
            return true;
        }
        catch (Exception) when (!ct.IsCancellationRequested)
        {
            return false;
        }
    }

    /// <summary>Runs until <paramref name="ct"/> is cancelled or the connection to the database fails.</summary>
    public async Task RunAsync(long term, CancellationToken ct)
    {
        await using var session = await sessions.OpenAsync(ct);
        await session.DisableSynchronousCommitAsync(ct);
        var published = await session.ReadPublishedAsync(ct);
        while (true)
        {
            var entries = await session.ReadAsync(published, options.Value.PublisherBatch, ct);
            broker.IsPublishing = entries.Count > 0;
            if (entries.Count == 0)
            {
                await head.WaitAsync(options.Value.PollInterval, clock, ct);
                continue;
            }

            await PublishAsync(entries, ct);
            published = entries[^1].Position;
            await session.MovePublishedAsync(published, term, ct);
        }
    }

    /// <summary>Returns when all are confirmed; retries without a limit.</summary>
    private async Task PublishAsync(List<LogEntry> entries, CancellationToken ct)
    {
        var streams = entries.GroupBy(entry => entry.Resource)
            .Select(stream => new Queue<LogEntry[]>(EventMessages.Of(stream)))
            .ToList();
        var started = clock.GetTimestamp();
        var maxTicks = options.Value.MaxBackOff.Ticks;
        for (var pause = firstBackOff; ; pause = TimeSpan.FromTicks(Math.Min(pause.Ticks * 2, maxTicks)))
        {
            try
            {
                await Task.WhenAll(streams.Select(stream => DrainAsync(stream, ct)));
                lease.IsOffered = false;
                broker.Succeeded();
                return;
            }
            catch (Exception exception) when (!ct.IsCancellationRequested)
            {
                broker.Failed(exception);
                if (clock.GetElapsedTime(started) >= options.Value.OfferAfter) await OfferAsync(ct);
            }

            await Task.Delay(pause, clock, ct);
        }
    }

    // A message leaves the queue after its confirm, and the next one is sent after that: this keeps the order of a
    // resource.
    private async Task DrainAsync(Queue<LogEntry[]> stream, CancellationToken ct)
    {
        while (stream.TryPeek(out var message))
        {
            var body = new ArrayBufferWriter<byte>(message.Length * 768);
            CloudEvents.WriteBatch(body, message);
            using (PublishMetrics.Start(message))
            {
                await bus.PublishAsync(message[0].Resource, body.WrittenSpan.ToArray(), broker.Limit, ct);
            }

            metrics.Published(message);
            stream.Dequeue();
        }
    }

    // When the broker confirms a probe, another leader would not help: the broker would refuse its messages too.
    private async Task OfferAsync(CancellationToken ct)
    {
        if (lease.IsOffered || await ReachesBrokerAsync(ct)) return;
        lease.IsOffered = true;
        logger.LeadOffered();
    }
}
