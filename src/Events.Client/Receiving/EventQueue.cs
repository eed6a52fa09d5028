using System.Threading.Channels;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace ApexShop.Events.Client.Receiving;

/// <summary>The consumer's own queue on the shop's exchange.</summary>
internal sealed class EventQueue(Uri broker, string exchange, string name, IReadOnlyList<string> resources)
{
    private const ushort Prefetch = 50;

    /// <summary>
    /// Connects, and declares the queue if it does not exist: durable, replicated to the broker's nodes, and with one
    /// consumer at a time, so that a second instance of the program is a standby. The shop declares the exchange; while
    /// there is none, this fails.
    /// </summary>
    public async Task<Binding> BindAsync(CancellationToken ct)
    {
        // Without the client's recovery: after a lost connection the missed events are read from the log first.
        var factory = new ConnectionFactory
        {
            Uri = broker, AutomaticRecoveryEnabled = false, ClientProvidedName = name,
        };
        var connection = await factory.CreateConnectionAsync(ct);
        try
        {
            var channel = await connection.CreateChannelAsync(cancellationToken: ct);
            var kind = new Dictionary<string, object?>
            {
                ["x-queue-type"] = "quorum", ["x-single-active-consumer"] = true,
            };
            // Passive: a user that may declare the exchange may also delete it.
            await channel.ExchangeDeclarePassiveAsync(exchange, ct);
            await channel.QueueDeclareAsync(
                name, durable: true, exclusive: false, autoDelete: false, kind, cancellationToken: ct);
            foreach (var resource in resources)
                await channel.QueueBindAsync(name, exchange, resource, cancellationToken: ct);
            return new Binding(connection, channel, name);
        }
        catch
        {
            await connection.DisposeAsync();
            throw;
        }
    }

    internal sealed record Delivery(ulong Tag, ReadOnlyMemory<byte> Body);

    /// <summary>A connection that receives messages until it breaks or the queue is deleted.</summary>
    internal sealed class Binding(IConnection connection, IChannel channel, string queue) : IAsyncDisposable
    {
        /// <summary>
        /// The messages in order; each has to be acknowledged. The sequence ends only with an exception.
        /// </summary>
        public async Task<ChannelReader<Delivery>> ConsumeAsync(CancellationToken ct)
        {
            var messages = Channel.CreateUnbounded<Delivery>();
            var consumer = new AsyncEventingBasicConsumer(channel);
            // The client reuses the body's memory after this.
            consumer.ReceivedAsync += async (_, message) =>
                await messages.Writer.WriteAsync(new Delivery(message.DeliveryTag, message.Body.ToArray()), ct);
            consumer.UnregisteredAsync += (_, _) => EndAsync("The queue was deleted.");
            channel.ChannelShutdownAsync += (_, reason) =>
                EndAsync($"The connection to the broker was lost: {reason.ReplyText}");
            await channel.BasicQosAsync(0, Prefetch, global: false, ct);
            await channel.BasicConsumeAsync(queue, autoAck: false, consumer, ct);
            return messages.Reader;

            Task EndAsync(string why)
            {
                messages.Writer.TryComplete(new IOException(why));
                return Task.CompletedTask;
            }
        }

        public ValueTask AcknowledgeAsync(Delivery message, CancellationToken ct) =>
            channel.BasicAckAsync(message.Tag, multiple: false, ct);

        public async ValueTask DisposeAsync()
        {
            await channel.DisposeAsync();
            await connection.DisposeAsync();
        }
    }
}
