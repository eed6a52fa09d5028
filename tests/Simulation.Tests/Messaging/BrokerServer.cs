using ApexShop.Events;
using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Planted;
using ApexShop.Simulation.Tests.Scheduling;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Simulation.Tests.Messaging;

/// <summary>A message in the queue; its number is the order in which it came.</summary>
internal sealed record QueuedMessage(long Number, byte[] Body, IReadOnlyList<LogEntry> Events);

/// <summary>
/// The model of the Projector's quorum queue: messages in order, the first consumer is the active one, and what it has
/// not acknowledged returns to its place when its connection ends.
/// </summary>
internal sealed class BrokerServer(Scheduler scheduler, Bugs? bugs = null)
{
    private readonly SortedDictionary<long, QueuedMessage> ready = [];
    private readonly List<BrokerConsumer> consumers = [];
    private long numbers;

    public Server Server { get; } = new("broker", () => new BrokerUnreachableException(new IOException("lost")));

    public bool IsDeclared { get; set; }

    public int Ready => ready.Count;

    public bool IsEmpty => ready.Count == 0 && consumers.TrueForAll(consumer => consumer.Unacknowledged.Count == 0);

    /// <summary>Called when a message is in the queue.</summary>
    public Action<QueuedMessage>? Enqueued { get; set; }

    /// <summary>Called when a message leaves the queue for ever.</summary>
    public Action<QueuedMessage>? Acknowledged { get; set; }

    /// <summary>False when no queue takes the message.</summary>
    public bool Publish(byte[] body)
    {
        if (!IsDeclared) return false;
        Enqueue(new(++numbers, body, CloudEvents.ReadBatch(body)));
        return true;
    }

    public void Enqueue(QueuedMessage message)
    {
        ready.Add(message.Number, message);
        Enqueued?.Invoke(message);
        Deliver();
    }

    public void Subscribe(BrokerConsumer consumer)
    {
        consumers.Add(consumer);
        Deliver();
    }

    public void Acknowledge(BrokerConsumer consumer, ulong tag)
    {
        if (!consumer.Unacknowledged.Remove(tag, out var message)) return;
        Acknowledged?.Invoke(message);
        Deliver();
    }

    /// <summary>The connection of the consumer has ended.</summary>
    public void End(BrokerConsumer consumer)
    {
        if (!consumers.Remove(consumer)) return;
        foreach (var message in consumer.Unacknowledged.Values) ready.Add(message.Number, message);
        consumer.Unacknowledged.Clear();
        Deliver();
    }

    /// <summary>
    /// The queue is deleted by mistake, with all messages. No message is taken until a Projector, which learns the end
    /// of its consumer, declares it again.
    /// </summary>
    public void LoseQueue()
    {
        scheduler.Trace.Add(scheduler.Now, "broker", "loses the queue", ready.Count);
        IsDeclared = false;
        ready.Clear();
        foreach (var consumer in consumers)
        {
            consumer.Unacknowledged.Clear();
            if (bugs?.EndOfTheQueueIsNotSent is not true) consumer.Cancel();
        }

        consumers.Clear();
    }

    private void Deliver()
    {
        while (consumers.Count > 0 && ready.Count > 0 && consumers[0].HasRoom)
        {
            var message = ready.First().Value;
            ready.Remove(message.Number);
            var tag = consumers[0].Deliver(message);
            if (bugs?.AcknowledgesOnDelivery is true) Acknowledge(consumers[0], tag);
        }
    }
}

/// <summary>The server's end of a consumer.</summary>
internal sealed class BrokerConsumer(int prefetch, Action<ulong, QueuedMessage> send, Action cancel)
{
    private ulong tags;

    public SortedDictionary<ulong, QueuedMessage> Unacknowledged { get; } = [];

    public bool HasRoom => Unacknowledged.Count < prefetch;

    /// <summary>Sends that its queue exists no longer.</summary>
    public void Cancel() => cancel();

    /// <summary>Sends the message and returns its number on the channel.</summary>
    public ulong Deliver(QueuedMessage message)
    {
        Unacknowledged.Add(++tags, message);
        send(tags, message);
        return tags;
    }
}
