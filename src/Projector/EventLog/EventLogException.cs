namespace ApexShop.Projector.EventLog;

/// <summary>The event log cannot be read now, or it does not have the events that a message requires.</summary>
internal sealed class EventLogException(string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>Whether the log responded: it does not have the events, so the message may be at fault.</summary>
    public bool HasResponded { get; init; }
}
