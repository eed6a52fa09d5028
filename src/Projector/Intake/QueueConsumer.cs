using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace ApexShop.Projector.Intake;

/// <summary>Receives the messages of a queue one after another, and the end of the consumer.</summary>
internal sealed class QueueConsumer(
    IChannel channel, Func<BasicDeliverEventArgs, Task> received, Func<Task> ended)
    : AsyncDefaultBasicConsumer(channel)
{
    public override Task HandleBasicDeliverAsync(
        string consumerTag,
        ulong deliveryTag,
        bool redelivered,
        string exchange,
        string routingKey,
        IReadOnlyBasicProperties properties,
        ReadOnlyMemory<byte> body,
        CancellationToken cancellationToken = default) => received(new BasicDeliverEventArgs(
            consumerTag, deliveryTag, redelivered, exchange, routingKey, properties, body, cancellationToken));

    protected override async Task OnCancelAsync(string[] consumerTags, CancellationToken cancellationToken = default)
    {
        await base.OnCancelAsync(consumerTags, cancellationToken);
        await ended();
    }
}
