namespace ApexShop.Projector.Projecting;

/// <summary>Log messages about applying events.</summary>
internal static partial class Log
{
    [LoggerMessage(3000, LogLevel.Information,
        "Hole in {Resource} after {Position} filled from the event log: {Count} events")]
    public static partial void HoleFilled(this ILogger logger, string resource, long position, int count);

    [LoggerMessage(3001, LogLevel.Warning,
        "Event {Position} of {Resource}/{AggregateId} parked; read.parked_events has the reason")]
    public static partial void EventParked(this ILogger logger, string resource, int aggregateId, long position);

    [LoggerMessage(3003, LogLevel.Information,
        "Applied {Count} events of {Resource} after {Position} from the event log")]
    public static partial void CaughtUp(this ILogger logger, string resource, long position, int count);

    [LoggerMessage(3020, LogLevel.Warning,
        "Events {First} to {Last} of {Resource} skipped: they are from the log {LogId}, which was replaced")]
    public static partial void MessageOfReplacedLog(
        this ILogger logger, string resource, long first, long last, string logId);

    [LoggerMessage(3021, LogLevel.Information,
        "All {Kind} of {Member} {Key} are written again with its new name")]
    public static partial void NameRefreshed(this ILogger logger, string kind, string member, int key);

    [LoggerMessage(3022, LogLevel.Warning, "Documents could not be written again with a new name: {Reason}")]
    public static partial void NamesNotRefreshed(this ILogger logger, string reason);

    [LoggerMessage(3023, LogLevel.Warning, "Document {Kind}/{Id} keeps an earlier name: {Reason}")]
    public static partial void NameRefused(this ILogger logger, string kind, int id, string reason);

    [LoggerMessage(3024, LogLevel.Warning,
        "Nothing was applied for a second, and the log goes on after {Applied} up to {Head}: its events are read")]
    public static partial void MessagesLate(this ILogger logger, long applied, long head);

    [LoggerMessage(3004, LogLevel.Warning, "The event log could not be compared with the projection: {Reason}")]
    public static partial void LogNotWatched(this ILogger logger, string reason);
}
