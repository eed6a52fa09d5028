using ApexShop.Events;

namespace ApexShop.Projector.Documents;

/// <summary>An event and the state it carries; a <see cref="DeletedState"/> ends the document.</summary>
internal sealed record StateChange(LogEntry Entry, IAggregateState State);
