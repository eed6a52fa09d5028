using System.Threading.Channels;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace ApexShop.StockWatcher;

/// <summary>This program's own queue on the shop's exchange.</summary>
internal sealed class Queue(Uri broker, string exchange, string name)
{
    private const ushort Prefetch = 50;

    /// <summary>
    /// Connects, and makes the queue if it is not there: durable, on as many nodes as the broker has, and with one consumer
    /// at a time, so that a second instance of the program waits as a stand-by.
    /// </summary>
    public async Task<Binding> BindAsync(CancellationToken ct)
    {
        // Without the client's own recovery: after a break the log is asked first what was missed.
        var factory = new ConnectionFactory { Uri = broker, AutomaticRecoveryEnabled = false, ClientProvidedName = "stock watcher" };
        var connection = await factory.CreateConnectionAsync(ct);
        try
        {
            var channel = await connection.CreateChannelAsync(cancellationToken: ct);
            var kind = new Dictionary<string, object?> { ["x-queue-type"] = "quorum", ["x-single-active-consumer"] = true };
            await channel.ExchangeDeclareAsync(exchange, ExchangeType.Topic, durable: true, cancellationToken: ct);
            await channel.QueueDeclareAsync(name, durable: true, exclusive: false, autoDelete: false, kind, cancellationToken: ct);
            await channel.QueueBindAsync(name, exchange, "products", cancellationToken: ct);
            return new Binding(connection, channel, name);
        }
        catch
        {
            await connection.DisposeAsync();
            throw;
        }
    }

    /// <summary>A connection through which messages come until it breaks or the queue is deleted.</summary>
    internal sealed class Binding(IConnection connection, IChannel channel, string queue) : IAsyncDisposable
    {
        /// <summary>The messages one after the other; each has to be acknowledged. It ends with an exception, never by itself.</summary>
        public async Task<ChannelReader<BasicDeliverEventArgs>> ConsumeAsync(CancellationToken ct)
        {
            var messages = Channel.CreateUnbounded<BasicDeliverEventArgs>();
            var consumer = new AsyncEventingBasicConsumer(channel);
            // The client uses the body's memory again after this.
            consumer.ReceivedAsync += async (_, message) => await messages.Writer.WriteAsync(new BasicDeliverEventArgs(
                message.ConsumerTag, message.DeliveryTag, message.Redelivered, message.Exchange, message.RoutingKey, message.BasicProperties, message.Body.ToArray()), ct);
            consumer.UnregisteredAsync += (_, _) => EndAsync("The queue is gone.");
            channel.ChannelShutdownAsync += (_, reason) => EndAsync($"The broker is gone: {reason.ReplyText}");
            await channel.BasicQosAsync(0, Prefetch, global: false, ct);
            await channel.BasicConsumeAsync(queue, autoAck: false, consumer, ct);
            return messages.Reader;

            Task EndAsync(string why)
            {
                messages.Writer.TryComplete(new IOException(why));
                return Task.CompletedTask;
            }
        }

        public ValueTask AcknowledgeAsync(BasicDeliverEventArgs message, CancellationToken ct) =>
            channel.BasicAckAsync(message.DeliveryTag, multiple: false, ct);

        public async ValueTask DisposeAsync()
        {
            await channel.DisposeAsync();
            await connection.DisposeAsync();
        }
    }
}
