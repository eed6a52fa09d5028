using System.Net.Sockets;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

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
            // RabbitMQ ends a connection two to three heartbeats after the last byte: a Projector that hangs loses
            // the queue to the standby within nine seconds.
            RequestedHeartbeat = TimeSpan.FromSeconds(3),
        }.CreateConnectionAsync(ct);

    /// <summary>Whether the exception is of the broker or of the way to it.</summary>
    public static bool IsUnavailable(Exception exception) =>
        exception is RabbitMQClientException or IOException or SocketException or TimeoutException;
}
