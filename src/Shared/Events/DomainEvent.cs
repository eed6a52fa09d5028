namespace ApexShop.Events;

/// <summary>The <c>data</c> of an event: the complete state of an aggregate after the change.</summary>
public interface IAggregateState
{
    int Id { get; }

    /// <summary>Starts at 1 and increases by exactly 1 with each change.</summary>
    long Version { get; }
}

/// <summary>The <c>data</c> of a deletion; <paramref name="Version"/> is the last version plus one.</summary>
public sealed record DeletedState(int Id, long Version) : IAggregateState;

/// <summary>
/// The event that an aggregate method returns. It is written to the outbox in the same commit as the change. It
/// contains state and no differences, so that a redelivery has no effect.
/// </summary>
public sealed record DomainEvent(string Type, string Resource, IAggregateState State);
