namespace ApexShop.Commands.Api.Events;

internal static partial class Log
{
    [LoggerMessage(
        6000, LogLevel.Warning, "Sending events failed; the client can resume at its last position: {Reason}")]
    public static partial void EventsInterrupted(this ILogger logger, string reason, Exception? exception);

    [LoggerMessage(
        6001, LogLevel.Warning, "The end of the event log cannot be read; followers get no events: {Reason}")]
    public static partial void LogTailUnavailable(this ILogger logger, string reason, Exception? exception);

    [LoggerMessage(
        6002, LogLevel.Information, "{Count} old events were removed from the log; later ones replace them")]
    public static partial void EventsRemoved(this ILogger logger, long count);

    [LoggerMessage(
        6003, LogLevel.Warning, "Old events could not be removed from the log; it is tried again: {Reason}")]
    public static partial void CompactionInterrupted(this ILogger logger, string reason, Exception? exception);
}
