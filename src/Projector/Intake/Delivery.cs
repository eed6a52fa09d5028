using System.Diagnostics;
using ApexShop.Projector.Projecting;

namespace ApexShop.Projector.Intake;

/// <summary>A message that the broker delivered, with the number that it has on its channel.</summary>
internal sealed record Message(ulong Tag, ReadOnlyMemory<byte> Body, string? ContentType);

/// <summary>A delivered message whose body is read and which waits for its transaction.</summary>
internal sealed record Delivery(Message Message, EventBatch Batch)
{
    /// <summary>From the delivery to its acknowledgement.</summary>
    public Activity? Span { get; init; }

    /// <summary>The attempts for which the database or the event log was unavailable.</summary>
    public int Waits { get; set; }

    /// <summary>The attempts that failed for another reason.</summary>
    public int Failures { get; set; }

    /// <summary>Not applied before this time.</summary>
    public DateTimeOffset RetryAt { get; set; }
}

/// <summary>The end of a delivery: the broker removes its message from the queue.</summary>
internal interface IAcknowledger
{
    Task AcknowledgeAsync(Delivery delivery);

    /// <summary>Moves the message to the dead letters.</summary>
    Task RejectAsync(Message message, string reason);
}
