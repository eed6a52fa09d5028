namespace ApexShop.Queries.Api.Hosting;

internal static partial class Log
{
    [LoggerMessage(1001, LogLevel.Error, "{Method} {Path} failed.")]
    public static partial void RequestFailed(this ILogger logger, string method, PathString path, Exception exception);

    [LoggerMessage(4001, LogLevel.Warning, "{Method} {Path}: the read database is unavailable: {Reason}")]
    public static partial void DatabaseUnavailable(
        this ILogger logger, string method, PathString path, string reason, Exception? exception);

    [LoggerMessage(4002, LogLevel.Warning, "Not ready: the read database is unavailable: {Reason}")]
    public static partial void NotReady(this ILogger logger, string reason, Exception? exception);
}
