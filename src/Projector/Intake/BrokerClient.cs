using RabbitMQ.Client;

namespace ApexShop.Projector.Intake;

/// <summary>Opens connections to the broker. One that is lost is not opened again by itself.</summary>
internal static class BrokerClient
{
    public static Task<IConnection> ConnectAsync(MessagingOptions options, string name, CancellationToken ct) =>
        new ConnectionFactory
        {
            Uri = options.AmqpUrl,
            ClientProvidedName = name,
            // The client's own recovery would keep the channel, and with it deliveries that the broker sends again.
            AutomaticRecoveryEnabled = false,
            RequestedConnectionTimeout = TimeSpan.FromSeconds(10),
            RequestedHeartbeat = TimeSpan.FromSeconds(5),
        }.CreateConnectionAsync(ct);
}
