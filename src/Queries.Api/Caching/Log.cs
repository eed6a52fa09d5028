namespace ApexShop.Queries.Api.Caching;

internal static partial class Log
{
    [LoggerMessage(5001, LogLevel.Warning, "Redis is unavailable, responses are cached for seconds only: {Reason}")]
    public static partial void RedisUnavailable(this ILogger logger, string reason);

    [LoggerMessage(5002, LogLevel.Information, "Redis is available again.")]
    public static partial void RedisBack(this ILogger logger);

    [LoggerMessage(5003, LogLevel.Warning,
        "Changes of the last {Seconds} s are not announced, responses are cached for seconds only.")]
    public static partial void TagsNotRaised(this ILogger logger, double seconds);

    [LoggerMessage(5004, LogLevel.Information, "All changes are announced again.")]
    public static partial void TagsRaised(this ILogger logger);
}
