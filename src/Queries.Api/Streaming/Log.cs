namespace ApexShop.Queries.Api.Streaming;

internal static partial class Log
{
    [LoggerMessage(6001, LogLevel.Error, "{Path} failed after its first byte; the connection is closed: {Reason}")]
    public static partial void StreamBroken(this ILogger logger, PathString path, string reason, Exception? exception);

    [LoggerMessage(
        6002, LogLevel.Error, "{Path} failed after its first byte; its last line contains the error: {Reason}")]
    public static partial void ExportBroken(this ILogger logger, PathString path, string reason, Exception? exception);

    [LoggerMessage(6003, LogLevel.Information, "{Path} was not complete when the process stopped; it is ended.")]
    public static partial void StreamStopped(this ILogger logger, PathString path);
}
