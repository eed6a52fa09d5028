namespace ApexShop.Commands.Api.Events;

internal static partial class Log
{
    [LoggerMessage(6000, LogLevel.Warning, "Sending events failed; the client can resume at its last position")]
    public static partial void EventsInterrupted(this ILogger logger, Exception exception);

    [LoggerMessage(6001, LogLevel.Warning, "The end of the event log cannot be read; followers get no events")]
    public static partial void LogTailUnavailable(this ILogger logger, Exception exception);
}
