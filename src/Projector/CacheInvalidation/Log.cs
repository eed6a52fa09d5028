namespace ApexShop.Projector.CacheInvalidation;

/// <summary>Log messages about cache tags and Redis.</summary>
internal static partial class Log
{
    [LoggerMessage(5000, LogLevel.Warning, "Redis is unavailable; cache tags are kept in the database: {Reason}")]
    public static partial void RedisUnavailable(this ILogger logger, string reason);

    [LoggerMessage(5001, LogLevel.Information, "Redis is available again")]
    public static partial void RedisBack(this ILogger logger);

    [LoggerMessage(5002, LogLevel.Warning, "Pending cache tags could not be read: {Reason}")]
    public static partial void TagsNotRead(this ILogger logger, string reason);
}
