using ApexShop.Hosting;
using ApexShop.Messaging;
using ApexShop.Projector.Projecting;
using Microsoft.Extensions.Options;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace ApexShop.Projector.Intake;

/// <summary>Consumes the Projector's queue on one channel, which delivers in the queue's order.</summary>
internal sealed class EventConsumer(
    BatchApplier applier,
    Projections projections,
    LogWatch watch,
    IOptions<MessagingOptions> options,
    TimeProvider clock,
    ILogger<EventConsumer> logger)
{
    // A message that waits for the database stays in the queue when the process stops.
    private static readonly TimeSpan stopLimit = TimeSpan.FromSeconds(5);

    private readonly MessagingOptions messaging = options.Value;

    private volatile DeliveryQueue? current;

    /// <summary>
    /// Whether messages were delivered to this process and are not applied; the queue does not count them any more.
    /// </summary>
    public bool HasDeliveries => current is { IsEmpty: false };

    private string Queue => messaging.Queue;

    /// <summary>Consumes from now on; <see cref="RunAsync"/> applies what is delivered.</summary>
    public async Task<DeliveryQueue> StartAsync(
        IChannel channel, IChannel rejecting, ConsumerCancellation cancellation, CancellationToken stopping)
    {
        var acknowledger = new Acknowledger(
            channel, rejecting, Topology.DeadLettersOf(Queue), watch.Wake, cancellation, clock, logger, stopping);
        var deliveries = new DeliveryQueue(applier, acknowledger, messaging, clock, logger);
        var cancelled = cancellation.Token;
        // A queue that was deleted is declared again with the next connection.
        var consumer = new QueueConsumer(
            channel,
            message => ReceiveAsync(message, deliveries, acknowledger, cancelled),
            () => cancellation.CancelAsync(channel, Queue));
        await channel.BasicQosAsync(0, (ushort)messaging.Prefetch, global: false, stopping);
        await channel.BasicConsumeAsync(Queue, autoAck: false, consumer, stopping);
        return deliveries;
    }

    /// <summary>Applies what is delivered until the consumer is cancelled, or the process stops.</summary>
    public async Task RunAsync(
        DeliveryQueue deliveries, CancellationToken cancelled, CancellationToken stopping)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancelled);
        await using var stop = stopping.Register(() =>
        {
            deliveries.Complete();
            ended.CancelAfter(stopLimit);
        });
        current = deliveries;
        try
        {
            await deliveries.RunAsync(ended.Token);
        }
        finally
        {
            // The broker delivers what is left again, perhaps to another process.
            current = null;
        }
    }

    private async Task ReceiveAsync(
        BasicDeliverEventArgs delivered, DeliveryQueue deliveries, Acknowledger acknowledger, CancellationToken ct)
    {
        var properties = delivered.BasicProperties;
        using var receiving = DeliverySpans.Receive(Queue, properties.Headers);
        // The client uses the buffer of the body again.
        var message = new Message(delivered.DeliveryTag, delivered.Body.ToArray(), properties)
        {
            Span = DeliverySpans.Process(Queue, receiving),
        };
        if (Read(message, acknowledger, ct) is not { } batch) return;
        // The channel dispatches one message at a time: the next ones are not read until there is room for them.
        await deliveries.AddAsync(new Delivery(message, batch), ct)
            .WithoutThrowing();
    }

    /// <summary>The events of the message; null when it cannot be read and is rejected.</summary>
    private EventBatch? Read(Message message, Acknowledger acknowledger, CancellationToken ct)
    {
        // The client ignores an exception of its callback, and the message would count for the prefetch.
        var (batch, refusal) = MessageReader.Read(message.Body, projections, logger);
        // One event that cannot be read makes a dead letter of the whole message; the others are in the event log.
        if (refusal is not null) _ = acknowledger.RejectAsync(message, refusal, ct);
        return batch;
    }
}
