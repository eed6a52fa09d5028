using System.Diagnostics;
using ApexShop.Projector.Projecting;
using RabbitMQ.Client;

namespace ApexShop.Projector.Intake;

/// <summary>A message that the broker delivered, with the number that it has on its channel.</summary>
internal sealed record Message(ulong Tag, ReadOnlyMemory<byte> Body, IReadOnlyBasicProperties Properties)
{
    /// <summary>From the delivery to its end: acknowledged, rejected or lost with its channel.</summary>
    public Activity? Span { get; init; }
}

/// <summary>A delivered message whose body is read and which waits for its transaction.</summary>
internal sealed record Delivery(Message Message, EventBatch Batch)
{
    /// <summary>The attempts since the database or the event log became unavailable.</summary>
    public int Waits { get; set; }

    /// <summary>The attempts that failed for any other reason.</summary>
    public int Failures { get; set; }

    /// <summary>Not applied before this time, in <see cref="DeliveryRetry.Now"/>.</summary>
    public TimeSpan RetryAt { get; set; }

    /// <summary>Null before the event log has responded without the events that the message requires.</summary>
    public MissingTime? Missing { get; set; }

    /// <summary>Those that one transaction applies, in the order of their events.</summary>
    public static List<Delivery> Joined(IEnumerable<Delivery> ready)
    {
        var (joined, events, last) = (new List<Delivery>(), 0, new Dictionary<string, long>());
        foreach (var delivery in ready.OrderBy(delivery => delivery.Batch.First))
        {
            var batch = delivery.Batch;
            events += batch.Entries.Count;
            if (joined.Count > 0 && events > DeliveryQueue.MostEvents) break;
            // A message that was delivered twice waits for the next transaction.
            if (batch.First <= last.GetValueOrDefault(batch.Resource)) continue;
            last[batch.Resource] = batch.Last;
            joined.Add(delivery);
        }

        return joined;
    }
}

/// <summary>
/// When the event log first and last responded without events that a message requires, in
/// <see cref="DeliveryRetry.Now"/>.
/// </summary>
internal sealed record MissingTime(TimeSpan First, TimeSpan Last);

/// <summary>
/// The end of deliveries: the broker removes their messages from the queue. A failure is not thrown: it ends the
/// channel, so that the broker delivers them again.
/// </summary>
internal interface IAcknowledger
{
    /// <summary>Acknowledges messages whose events are committed, as soon as their cache tags are raised.</summary>
    Task AcknowledgeAsync(IReadOnlyList<Delivery> deliveries, Task raised);

    /// <summary>Moves the message to the dead letters, as soon as their queue takes it.</summary>
    Task RejectAsync(Message message, string reason, CancellationToken ct);
}
