using System.Buffers;
using ApexShop.Events;
using ApexShop.Messaging;
using MassTransit;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Publishes the events after the cursor in batches, in order within each resource. The cursor moves after the last
/// confirm: a crash may repeat messages, and loses none.
/// </summary>
internal sealed class EventPublisher(
    LeaderConnections connections,
    EventBus bus,
    LogHeadSignal head,
    LeaderLease lease,
    OutboxStatus status,
    PublishMetrics metrics,
    TimeProvider clock,
    IOptions<OutboxOptions> options,
    ILogger<EventPublisher> logger)
{
    private static readonly TimeSpan firstBackOff = TimeSpan.FromMilliseconds(50);

    /// <summary>Connects before this process leads, so that a new leader publishes without delay.</summary>
    public void Connect() => bus.Start();

    /// <summary>Whether the broker confirms a message of this process; a standby asks before it takes over.</summary>
    public Task<bool> ReachesBrokerAsync(CancellationToken ct) =>
        bus.ReachesBrokerAsync(options.Value.ProbeTimeout, ct);

    /// <summary>Runs until <paramref name="ct"/> is cancelled or the connection to the database fails.</summary>
    public async Task RunAsync(long term, CancellationToken ct)
    {
        await using var connection = await connections.OpenAsync(ct);
        await EventLog.DisableSynchronousCommitAsync(connection, ct);
        var published = await EventLog.ReadPublishedAsync(connection, ct);
        while (true)
        {
            var entries = await EventLog.ReadAsync(connection, published, options.Value.PublisherBatch, ct);
            if (entries.Count == 0)
            {
                await head.WaitAsync(options.Value.PollInterval, ct);
                continue;
            }

            await PublishAsync(entries, ct);
            published = entries[^1].Position;
            await EventLog.MovePublishedAsync(connection, published, term, ct);
        }
    }

    /// <summary>Returns when all are confirmed; retries without a limit.</summary>
    private async Task PublishAsync(List<LogEntry> entries, CancellationToken ct)
    {
        var streams = entries.GroupBy(entry => entry.Resource)
            .Select(stream => new Queue<LogEntry[]>(stream.Chunk(Topology.MaxEventsPerMessage)))
            .ToList();
        var started = clock.GetTimestamp();
        var maxTicks = options.Value.MaxBackOff.Ticks;
        for (var pause = firstBackOff; ; pause = TimeSpan.FromTicks(Math.Min(pause.Ticks * 2, maxTicks)))
        {
            try
            {
                await Task.WhenAll(streams.Select(stream => DrainAsync(stream, ct)));
                Succeeded();
                return;
            }
            catch (Exception exception) when (!ct.IsCancellationRequested)
            {
                Failed(exception);
                if (clock.GetElapsedTime(started) >= options.Value.OfferAfter) await OfferAsync(ct);
            }

            await Task.Delay(pause, ct);
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
            var isProbe = status.Broker == BrokerState.Unavailable;
            var limit = isProbe ? options.Value.ProbeTimeout : options.Value.ConfirmTimeout;
            using (PublishMetrics.Start(message))
            {
                await bus.PublishAsync(message[0].Resource, body.WrittenSpan.ToArray(), limit, ct);
            }

            metrics.Published(message);
            stream.Dequeue();
        }
    }

    // A broker that refuses these messages and confirms another one would refuse them from every process.
    private async Task OfferAsync(CancellationToken ct)
    {
        if (lease.IsOffered || status.Broker == BrokerState.Unbound || await ReachesBrokerAsync(ct)) return;
        lease.IsOffered = true;
        logger.LeadOffered();
    }

    private void Succeeded()
    {
        lease.IsOffered = false;
        if (status.Broker is BrokerState.Unavailable or BrokerState.Unbound) logger.PublishingResumed();
        status.Broker = BrokerState.Reached;
    }

    // Logs only a change of the state: an outage of hours must not log a line per second.
    private void Failed(Exception exception)
    {
        var state = exception is MessageReturnedException ? BrokerState.Unbound : BrokerState.Unavailable;
        if (status.Broker == state) return;
        if (state == BrokerState.Unbound) logger.NoQueueBound();
        else logger.BrokerUnavailable(exception.GetBaseException().Message);
        status.Broker = state;
    }
}
