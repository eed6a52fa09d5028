namespace ApexShop.Events;

/// <summary>What every event carries as <c>data</c>: an aggregate's whole state after the change.</summary>
public interface IAggregateState
{
    int Id { get; }

    /// <summary>Starts at 1 and goes up by exactly 1 with each change.</summary>
    long Version { get; }
}

/// <summary>The <c>data</c> of a deletion; <paramref name="Version"/> is one above the last living version.</summary>
public sealed record DeletedState(int Id, long Version) : IAggregateState;

/// <summary>
/// What an aggregate method returns: the fact that goes into the outbox in the commit of the change itself.
/// State, never differences: absolute values survive redelivery.
/// </summary>
public sealed record DomainEvent(string Type, string Resource, IAggregateState State);
