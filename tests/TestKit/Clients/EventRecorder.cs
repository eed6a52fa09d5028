using System.Collections.Concurrent;
using System.Globalization;
using System.Text.Json;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace ApexShop.TestKit.Clients;

/// <summary>
/// An independent consumer: the plain RabbitMQ client, its own durable queue bound to one
/// resource, and the documented message format.
/// </summary>
public sealed class EventRecorder : IAsyncDisposable
{
    private readonly ConcurrentQueue<RecordedEvent> seen = new();
    private readonly string queue;
    private readonly IConnection connection;
    private readonly IChannel channel;

    private EventRecorder(string queue, IConnection connection, IChannel channel)
    {
        this.queue = queue;
        this.connection = connection;
        this.channel = channel;
    }

    /// <summary>One received event.</summary>
    public sealed record RecordedEvent(
        long Position, long Previous, string Id, string Type, string Subject, long Version);

    /// <summary>Waits for the last event; an earlier event has then arrived or is lost.</summary>
    public Task ArrivesAsync(long position) =>
        Eventually.Holds(() => seen.Any(one => one.Position == position), $"position {position} arrived");

    /// <summary>All received events in order, with repeats.</summary>
    public IReadOnlyList<RecordedEvent> Arrived => [.. seen];

    public static async Task<EventRecorder> BindAsync(Shop shop, string resource)
    {
        var connection =
            await new ConnectionFactory { Uri = shop.Broker, NetworkRecoveryInterval = TimeSpan.FromSeconds(1) }
            .CreateConnectionAsync();
        var channel = await connection.CreateChannelAsync();
        var tap = new EventRecorder($"{shop.Exchange}.tap", connection, channel);
        await channel.ExchangeDeclareAsync(shop.Exchange, ExchangeType.Topic, durable: true);
        var quorum = new Dictionary<string, object?> { ["x-queue-type"] = "quorum" };
        await channel.QueueDeclareAsync(tap.queue, durable: true, exclusive: false, autoDelete: false, quorum);
        await channel.QueueBindAsync(tap.queue, shop.Exchange, resource);
        var consumer = new AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += tap.ReceiveAsync;
        await channel.BasicConsumeAsync(tap.queue, autoAck: false, consumer);
        return tap;
    }

    /// <summary>
    /// The events as a correct consumer applies them: an event at or below the last position is a repeat and skipped,
    /// and the next one must contain the last position as its previous one.
    /// </summary>
    public IReadOnlyList<RecordedEvent> WithoutRepeats(long after = 0)
    {
        var kept = new List<RecordedEvent>();
        var last = after;
        foreach (var one in seen)
        {
            if (one.Position <= last) continue;
            one.Previous.ShouldBe(last, $"there is a hole before position {one.Position}");
            last = one.Position;
            kept.Add(one);
        }

        return kept;
    }

    public async ValueTask DisposeAsync()
    {
        if (channel.IsOpen) await channel.QueueDeleteAsync(queue);
        await channel.DisposeAsync();
        await connection.DisposeAsync();
    }

    private async Task ReceiveAsync(object sender, BasicDeliverEventArgs message)
    {
        using var batch = JsonDocument.Parse(message.Body);
        foreach (var one in batch.RootElement.EnumerateArray())
        {
            seen.Enqueue(new RecordedEvent(
                Number(one, "sequence"),
                Number(one, "previous"),
                one.GetProperty("id").GetString()!,
                one.GetProperty("type").GetString()!,
                one.GetProperty("subject").GetString()!,
                one.GetProperty("data").GetProperty("version").GetInt64()));
        }

        await ((AsyncEventingBasicConsumer)sender).Channel.BasicAckAsync(message.DeliveryTag, multiple: false);
    }

    private static long Number(JsonElement one, string name) =>
        long.Parse(one.GetProperty(name).GetString()!, NumberStyles.None, CultureInfo.InvariantCulture);
}
