using ApexShop.Messaging;
using RabbitMQ.Client;

namespace ApexShop.Projector.Intake;

/// <summary>
/// The Projector's queues. A queue cannot change its type or arguments in place: what is declared here must stay what
/// released versions declared, with an exchange of the same name before each queue.
/// </summary>
internal static class QueueTopology
{
    private const long MostDeadLetterBytes = 1L << 30;

    public static async Task DeclareAsync(IChannel channel, MessagingOptions options, CancellationToken ct)
    {
        // Quorum, because a classic queue with a single active consumer and two consumers crashes RabbitMQ 3.10.
        await DeclareQueueAsync(channel, options.Queue, new() { ["x-single-active-consumer"] = true }, ct);
        await channel.ExchangeDeclareAsync(options.Exchange, ExchangeType.Topic, durable: true, cancellationToken: ct);
        await channel.ExchangeBindAsync(options.Queue, options.Exchange, routingKey: "#", cancellationToken: ct);

        // A full queue must refuse: the default would drop the oldest messages.
        await DeclareQueueAsync(
            channel,
            Topology.DeadLettersOf(options.Queue),
            new() { ["x-max-length-bytes"] = MostDeadLetterBytes, ["x-overflow"] = "reject-publish" },
            ct);
    }

    private static async Task DeclareQueueAsync(
        IChannel channel, string name, Dictionary<string, object?> arguments, CancellationToken ct)
    {
        arguments["x-queue-type"] = "quorum";
        await channel.QueueDeclareAsync(
            name, durable: true, exclusive: false, autoDelete: false, arguments, cancellationToken: ct);
        await channel.ExchangeDeclareAsync(name, ExchangeType.Fanout, durable: true, cancellationToken: ct);
        await channel.QueueBindAsync(name, name, routingKey: "", cancellationToken: ct);
    }
}
