using System.Diagnostics;
using System.Text;
using ApexShop.Messaging;
using ApexShop.Projector.Projecting;
using ApexShop.Projector.Telemetry;
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
    private const string SenderHeader = "MT-Activity-Id";

    // A message that waits for the database stays in the queue when the process stops.
    private static readonly TimeSpan stopLimit = TimeSpan.FromSeconds(5);

    /// <summary>Applies what is delivered until the channel is lost, or the process stops.</summary>
    public async Task RunAsync(IChannel channel, CancellationTokenSource lost, CancellationToken stopping)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(lost.Token);
        var acknowledger = new Acknowledger(channel, Topology.DeadLettersOf(options.Value.Queue), clock);
        var deliveries = new DeliveryQueue(applier, acknowledger, clock, logger);
        var consumer = new AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += (_, message) => ReceiveAsync(message, deliveries, acknowledger);
        // The queue was deleted: it is declared again with the next connection.
        consumer.UnregisteredAsync += (_, _) => lost.CancelAsync();
        await channel.BasicQosAsync(0, (ushort)options.Value.Prefetch, global: false, stopping);
        await channel.BasicConsumeAsync(options.Value.Queue, autoAck: false, consumer, stopping);
        await using var stop = stopping.Register(() =>
        {
            deliveries.Complete();
            ended.CancelAfter(stopLimit);
        });
        await deliveries.RunAsync(ended.Token);
    }

    private Task ReceiveAsync(BasicDeliverEventArgs delivered, DeliveryQueue deliveries, Acknowledger acknowledger)
    {
        using var receiving = ProjectorMeter.Activities.StartActivity(
            $"{options.Value.Queue} receive", ActivityKind.Consumer, SenderOf(delivered));
        // The client uses the buffer of the body again.
        var message = new Message(
            delivered.DeliveryTag, delivered.Body.ToArray(), delivered.BasicProperties.ContentType);
        var processing = ProjectorMeter.Activities.StartActivity(
            $"{options.Value.Queue} process", ActivityKind.Consumer);
        try
        {
            var batch = EventBatch.FromMessage(message.Body);
            batch.Decode(projections[batch.Resource]);
            deliveries.Add(new Delivery(message, batch) { Span = processing });
        }
        // One event that cannot be read makes a dead letter of the whole message; the others are in the event log. The
        // client ignores exceptions of its callbacks, so none may leave this one.
        catch (Exception exception)
        {
            processing?.Dispose();
            watch.Wake();
            _ = acknowledger.RejectAsync(message, exception.Message);
        }

        return Task.CompletedTask;
    }

    private static ActivityContext SenderOf(BasicDeliverEventArgs delivered) =>
        delivered.BasicProperties.Headers?.TryGetValue(SenderHeader, out var header) is true && header is byte[] sender
        && ActivityContext.TryParse(Encoding.ASCII.GetString(sender), null, isRemote: true, out var context)
            ? context
            : default;
}
