namespace ApexShop.Projector.EventLog;

/// <summary>The event log cannot be read now.</summary>
internal sealed class EventLogException(string message, Exception? inner = null) : Exception(message, inner);
