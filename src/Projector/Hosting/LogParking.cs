namespace ApexShop.Projector.Hosting;

/// <summary>What the Projector logs about events that are parked and messages that cannot be read.</summary>
internal static partial class LogParking
{
    [LoggerMessage(3100, LogLevel.Information, "Healed {Resource}/{AggregateId} from the log: {Outcome} at version {Version}, {Count} events unparked")]
    public static partial void AggregateHealed(
        this ILogger logger, string resource, int aggregateId, string outcome, long? version, int count);
}
