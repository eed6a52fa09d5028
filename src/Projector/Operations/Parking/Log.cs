namespace ApexShop.Projector.Operations.Parking;

/// <summary>Log messages about parked events and dead letters.</summary>
internal static partial class Log
{
    [LoggerMessage(3100, LogLevel.Information,
        "Healed {Resource}/{AggregateId} from the log: {Outcome} at version {Version}, {Count} events unparked")]
    public static partial void AggregateHealed(
        this ILogger logger, string resource, int aggregateId, string outcome, long? version, int count);

    [LoggerMessage(3101, LogLevel.Information,
        "Replayed {Resource}/{AggregateId}: {Applied} events applied, {Left} still parked")]
    public static partial void ParkedReplayed(
        this ILogger logger, string resource, int aggregateId, int applied, int left);

    [LoggerMessage(3102, LogLevel.Warning,
        "Discarded {Count} parked events of {Resource}/{AggregateId}, whose document stays at version {Version}")]
    public static partial void ParkedDiscarded(
        this ILogger logger, string resource, int aggregateId, int count, long? version);

    [LoggerMessage(3105, LogLevel.Information, "Dead letter {Id} could be read: {Count} events of {Resource}")]
    public static partial void DeadLetterReplayed(this ILogger logger, int id, string resource, int count);

    [LoggerMessage(3106, LogLevel.Warning, "Dead letter {Id} was discarded")]
    public static partial void DeadLetterDiscarded(this ILogger logger, int id);
}
