namespace ApexShop.Projector.Intake;

/// <summary>Log messages about the queue and about messages that cannot be read.</summary>
internal static partial class Log
{
    [LoggerMessage(3002, LogLevel.Warning, "Projection of {Resource} up to {Position} waits: {Reason}")]
    public static partial void ProjectionWaits(this ILogger logger, string resource, long position, string reason);

    [LoggerMessage(3005, LogLevel.Warning, "The message broker is unavailable: {Reason}")]
    public static partial void BrokerUnavailable(this ILogger logger, Exception exception, string reason);

    [LoggerMessage(3006, LogLevel.Error, "Applying {Count} messages failed, the first of {Resource} up to {Position}")]
    public static partial void ProjectionFailed(
        this ILogger logger, Exception exception, int count, string resource, long position);

    [LoggerMessage(3007, LogLevel.Error, "A message of {Bytes} bytes could not be decoded")]
    public static partial void MessageNotDecoded(this ILogger logger, Exception exception, int bytes);

    [LoggerMessage(3008, LogLevel.Error, "Consuming failed; it begins again with a new connection")]
    public static partial void ConsumingFailed(this ILogger logger, Exception exception);

    [LoggerMessage(3103, LogLevel.Warning,
        "A message of {Bytes} bytes cannot be read and is stored as a dead letter: {Reason}")]
    public static partial void DeadLetterKept(this ILogger logger, int bytes, string reason);

    [LoggerMessage(3104, LogLevel.Warning, "A message that cannot be read waits in its queue: {Reason}")]
    public static partial void DeadLetterWaits(this ILogger logger, string reason);

    [LoggerMessage(3107, LogLevel.Error, "A dead letter of {Bytes} bytes could not be stored; it stays in its queue")]
    public static partial void DeadLetterNotKept(this ILogger logger, Exception exception, int bytes);
}
