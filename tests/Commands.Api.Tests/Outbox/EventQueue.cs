using System.Collections.Concurrent;
using ApexShop.Events;
using ApexShop.TestKit;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace ApexShop.Commands.Api.Tests.Outbox;

/// <summary>A consumer that knows nothing but AMQP and the contract: a queue of its own, bound by resource.</summary>
internal sealed class EventQueue : IAsyncDisposable
{
    private readonly IConnection connection;
    private readonly IChannel channel;
    private readonly string exchange;

    private EventQueue(IConnection connection, IChannel channel, string exchange)
    {
        this.connection = connection;
        this.channel = channel;
        this.exchange = exchange;
    }

    /// <summary>Messages in the order they came, unpacked.</summary>
    public ConcurrentQueue<(IReadOnlyBasicProperties Properties, string RoutingKey, List<LogEntry> Events)> Messages
    {
        get;
    } = [];

    public IEnumerable<LogEntry> Events => Messages.SelectMany(message => message.Events);

    /// <summary>Without repeats: a message whose confirm came too late is published again.</summary>
    public IEnumerable<LogEntry> Distinct => Events.DistinctBy(entry => entry.Position);

    public static async Task<EventQueue> BindAsync(string exchange, string routingKey)
    {
        var connection = await new ConnectionFactory { Uri = Servers.RabbitMq }.CreateConnectionAsync();
        var channel = await connection.CreateChannelAsync();
        var queue = new EventQueue(connection, channel, exchange);
        await channel.ExchangeDeclareAsync(exchange, "topic", durable: true, autoDelete: false);
        var name = (await channel.QueueDeclareAsync("", durable: false, exclusive: true, autoDelete: true)).QueueName;
        await channel.QueueBindAsync(name, exchange, routingKey);
        var consumer = new AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += (_, delivery) =>
        {
            queue.Messages.Enqueue(
                (delivery.BasicProperties, delivery.RoutingKey, CloudEvents.ReadBatch(delivery.Body.ToArray())));
            return Task.CompletedTask;
        };
        await channel.BasicConsumeAsync(name, autoAck: true, consumer);
        return queue;
    }

    public Task<bool> HasAsync(long position) => Task.FromResult(Events.Any(entry => entry.Position >= position));

    public async ValueTask DisposeAsync()
    {
        await channel.ExchangeDeleteAsync(exchange);
        await connection.CloseAsync();
        await connection.DisposeAsync();
    }
}
