namespace ApexShop.Commands.Api.Outbox;

internal static partial class Log
{
    [LoggerMessage(2000, LogLevel.Information, "This process leads: it sequences and publishes events, term {Term}")]
    public static partial void LeadershipTaken(this ILogger logger, long term);

    [LoggerMessage(
        2001, LogLevel.Warning, "Sequencing or publishing failed; this process tries to lead again: {Reason}")]
    public static partial void LeadershipLost(this ILogger logger, string reason, Exception? exception);

    [LoggerMessage(2002, LogLevel.Warning, "The broker does not confirm messages; events wait in the log: {Reason}")]
    public static partial void BrokerUnavailable(this ILogger logger, string reason);

    [LoggerMessage(2003, LogLevel.Warning, "No queue is bound for an event; events wait in the log")]
    public static partial void NoQueueBound(this ILogger logger);

    [LoggerMessage(2004, LogLevel.Information, "The broker confirms messages again, and events are published")]
    public static partial void BrokerConfirmsAgain(this ILogger logger);

    [LoggerMessage(
        2005, LogLevel.Warning, "The leader could not be notified; it finds new events with its next poll: {Reason}")]
    public static partial void LeaderNotWoken(this ILogger logger, string reason, Exception? exception);

    [LoggerMessage(
        2006, LogLevel.Warning, "Another process leads now: this one could not publish or did not renew its lease")]
    public static partial void LeaseLost(this ILogger logger);

    [LoggerMessage(
        2007, LogLevel.Warning, "This process does not reach the broker; it leads until another process does")]
    public static partial void LeadOffered(this ILogger logger);

    [LoggerMessage(
        2008, LogLevel.Warning,
        "The log has the identity {Id} from now on: it was restored or copied, or its server is a promoted replica")]
    public static partial void LogIdentityRenewed(this ILogger logger, string id);
}
