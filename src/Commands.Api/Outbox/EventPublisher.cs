using System.Buffers;
using ApexShop.Events;
using ApexShop.Messaging;
using MassTransit;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Sends what the log has beyond the cursor, packed, in order within each resource. The cursor moves after the last
/// confirm: a crash repeats messages, and none is lost.
/// </summary>
internal sealed class EventPublisher(
    LeaderConnections connections,
    EventBus bus,
    LogHeadSignal head,
    OutboxStatus status,
    PublishMetrics metrics,
    IOptions<OutboxOptions> options,
    ILogger<EventPublisher> logger)
{
    private static readonly TimeSpan firstBackOff = TimeSpan.FromMilliseconds(50);

    /// <summary>So that the next leader loses no time.</summary>
    public void Connect() => bus.Start();

    /// <summary>Ends only by <paramref name="ct"/> or with the connection to the database.</summary>
    public async Task RunAsync(CancellationToken ct)
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
            await EventLog.MovePublishedAsync(connection, published, ct);
        }
    }

    /// <summary>Returns when all are confirmed, however long that takes.</summary>
    private async Task PublishAsync(List<LogEntry> entries, CancellationToken ct)
    {
        var streams = entries.GroupBy(entry => entry.Resource)
            .Select(stream => new Queue<LogEntry[]>(stream.Chunk(Topology.MaxEventsPerMessage)))
            .ToList();
        for (var pause = firstBackOff; ; pause = TimeSpan.FromTicks(Math.Min(pause.Ticks * 2, options.Value.MaxBackOff.Ticks)))
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
            }

            await Task.Delay(pause, ct);
        }
    }

    // A message leaves the queue with its confirm, and the next one waits for that: nothing overtakes in a resource.
    private async Task DrainAsync(Queue<LogEntry[]> stream, CancellationToken ct)
    {
        while (stream.TryPeek(out var message))
        {
            var body = new ArrayBufferWriter<byte>(message.Length * 768);
            CloudEvents.WriteBatch(body, message);
            var limit = status.Broker == BrokerState.Unavailable ? options.Value.ProbeTimeout : options.Value.ConfirmTimeout;
            using (PublishMetrics.Start(message)) await bus.PublishAsync(message[0].Resource, body.WrittenSpan.ToArray(), limit, ct);
            metrics.Published(message);
            stream.Dequeue();
        }
    }

    private void Succeeded()
    {
        if (status.Broker is BrokerState.Unavailable or BrokerState.Unbound) logger.PublishingResumed();
        status.Broker = BrokerState.Reached;
    }

    // One line at each change of state: an outage of hours is not worth a line a second.
    private void Failed(Exception exception)
    {
        var state = exception is MessageReturnedException ? BrokerState.Unbound : BrokerState.Unavailable;
        if (status.Broker == state) return;
        if (state == BrokerState.Unbound) logger.NoQueueBound();
        else logger.BrokerUnavailable(exception.GetBaseException().Message);
        status.Broker = state;
    }
}
