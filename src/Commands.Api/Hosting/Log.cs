namespace ApexShop.Commands.Api.Hosting;

internal static partial class Log
{
    [LoggerMessage(1000, LogLevel.Error, "Request failed")]
    public static partial void RequestFailed(this ILogger logger, Exception exception);

    [LoggerMessage(1001, LogLevel.Warning, "Database is unavailable: {Reason}")]
    public static partial void DatabaseUnavailable(this ILogger logger, string reason, Exception? exception);
}
