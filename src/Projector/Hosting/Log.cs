namespace ApexShop.Projector.Hosting;

/// <summary>Every line the Projector logs.</summary>
internal static partial class Log
{
    [LoggerMessage(3000, LogLevel.Information, "Hole in {Resource} after {Position} filled from the log: {Count} events")]
    public static partial void HoleFilled(this ILogger logger, string resource, long position, int count);

    [LoggerMessage(3001, LogLevel.Warning, "Event {Position} of {Resource}/{AggregateId} parked; the reason, which may quote it, stands with it")]
    public static partial void EventParked(this ILogger logger, string resource, int aggregateId, long position);

    [LoggerMessage(3002, LogLevel.Warning, "Projection of {Resource} up to {Position} waits: {Reason}")]
    public static partial void ProjectionWaits(this ILogger logger, string resource, long position, string reason);

    [LoggerMessage(3003, LogLevel.Information, "Applied {Count} events of {Resource} after {Position} from the log")]
    public static partial void CaughtUp(this ILogger logger, string resource, long position, int count);

    [LoggerMessage(3004, LogLevel.Warning, "The event log could not be compared with the projection: {Reason}")]
    public static partial void LogNotWatched(this ILogger logger, string reason);

    [LoggerMessage(5000, LogLevel.Warning, "Redis is unavailable, cache tags wait in the database: {Reason}")]
    public static partial void RedisUnavailable(this ILogger logger, string reason);

    [LoggerMessage(5001, LogLevel.Information, "Redis is back")]
    public static partial void RedisBack(this ILogger logger);

    [LoggerMessage(5002, LogLevel.Warning, "Pending cache tags could not be read: {Reason}")]
    public static partial void TagsNotRead(this ILogger logger, string reason);
}
