namespace ApexShop.Projector.Intake;

/// <summary>Log messages about the queue and about messages that cannot be read.</summary>
internal static partial class Log
{
    [LoggerMessage(3002, LogLevel.Warning, "Projection of {Resource} up to {Position} waits: {Reason}")]
    public static partial void ProjectionWaits(this ILogger logger, string resource, long position, string reason);

    [LoggerMessage(3005, LogLevel.Warning, "The message broker is unavailable: {Reason}")]
    public static partial void BrokerUnavailable(this ILogger logger, string reason);

    [LoggerMessage(3103, LogLevel.Warning,
        "A message of {Bytes} bytes cannot be read and is stored as a dead letter: {Reason}")]
    public static partial void DeadLetterKept(this ILogger logger, int bytes, string reason);

    [LoggerMessage(3104, LogLevel.Warning, "A message that cannot be read waits in its queue: {Reason}")]
    public static partial void DeadLetterWaits(this ILogger logger, string reason);
}
