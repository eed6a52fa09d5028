namespace ApexShop.Queries.Api.Hosting;

/// <summary>Every log message of this process.</summary>
internal static partial class Log
{
    [LoggerMessage(1001, LogLevel.Error, "{Method} {Path} failed.")]
    public static partial void RequestFailed(ILogger logger, string method, PathString path, Exception exception);

    [LoggerMessage(4001, LogLevel.Warning, "{Method} {Path}: the read database cannot answer.")]
    public static partial void DatabaseUnavailable(ILogger logger, string method, PathString path, Exception exception);

    [LoggerMessage(4002, LogLevel.Warning, "Not ready: the read database cannot answer.")]
    public static partial void NotReady(ILogger logger, Exception exception);

    [LoggerMessage(5001, LogLevel.Warning, "Redis is unavailable, answers are kept for moments only: {Reason}")]
    public static partial void RedisUnavailable(ILogger logger, string reason);

    [LoggerMessage(5002, LogLevel.Information, "Redis is back.")]
    public static partial void RedisBack(ILogger logger);

    [LoggerMessage(6001, LogLevel.Error, "{Path} broke off after its first byte; the connection is closed.")]
    public static partial void StreamBroken(ILogger logger, PathString path, Exception exception);

    [LoggerMessage(6002, LogLevel.Error, "{Path} broke off after its first byte; its last line says so.")]
    public static partial void ExportBroken(ILogger logger, PathString path, Exception exception);

    [LoggerMessage(6003, LogLevel.Information, "{Path} had not come to its end when the process stopped; it is ended.")]
    public static partial void StreamStopped(ILogger logger, PathString path);
}
