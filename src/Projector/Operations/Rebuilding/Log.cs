namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>Log messages about rebuilds and about documents of another event log.</summary>
internal static partial class Log
{
    [LoggerMessage(3200, LogLevel.Information, "A rebuild of the documents begins: {Cause}")]
    public static partial void RebuildBegins(this ILogger logger, string cause);

    [LoggerMessage(3201, LogLevel.Information,
        "The documents were rebuilt in {Seconds} s, up to {Position}; the previous tables are kept")]
    public static partial void RebuildDone(this ILogger logger, double seconds, long position);

    [LoggerMessage(3202, LogLevel.Error, "The documents were not rebuilt: {Reason}")]
    public static partial void RebuildFailed(this ILogger logger, string reason);

    [LoggerMessage(3203, LogLevel.Warning, "The progress of the rebuild could not be stored: {Reason}")]
    public static partial void ProgressNotStored(this ILogger logger, string reason);

    [LoggerMessage(3204, LogLevel.Warning, "The tables before the last rebuild are in use again")]
    public static partial void RolledBack(this ILogger logger);

    [LoggerMessage(3213, LogLevel.Warning,
        "Queries show earlier documents until the events since the rebuild are applied, after the rollback: {Reason}")]
    public static partial void RolledBackWithoutEvents(this ILogger logger, string reason);

    [LoggerMessage(3214, LogLevel.Warning,
        "What is parked in the tables that are in use now, and was not in those before, was not healed: {Reason}")]
    public static partial void ExchangedNotHealed(this ILogger logger, string reason);

    [LoggerMessage(3205, LogLevel.Error, "The documents are from another event log: {Reason}. {Consequence}")]
    public static partial void LogBroken(this ILogger logger, string reason, string consequence);

    [LoggerMessage(3210, LogLevel.Warning, "The documents have another currency: {Reason}. {Consequence}")]
    public static partial void OtherCurrency(this ILogger logger, string reason, string consequence);

    [LoggerMessage(3206, LogLevel.Information, "The documents are from this event log again")]
    public static partial void LogContinues(this ILogger logger);

    [LoggerMessage(3209, LogLevel.Information,
        "The event log has the identity {LogId} and continues the documents; earlier ETags and cursors are not valid")]
    public static partial void LogIdentityAdopted(this ILogger logger, string logId);

    [LoggerMessage(3208, LogLevel.Warning, "The cache tags of the rebuild could not be raised yet: {Reason}")]
    public static partial void TagsNotRaised(this ILogger logger, string reason);

    [LoggerMessage(3211, LogLevel.Warning,
        "The staged tables of the rebuild could not be dropped, they stay until the next rebuild ends: {Reason}")]
    public static partial void StagedTablesKept(this ILogger logger, string reason);

    [LoggerMessage(3212, LogLevel.Information,
        "The rebuild continues one that ended after the step {Step}, with the log up to {Position}")]
    public static partial void RebuildContinues(this ILogger logger, string step, long position);

    [LoggerMessage(3207, LogLevel.Warning, "The documents could not be compared with the event log: {Reason}")]
    public static partial void LogNotCompared(this ILogger logger, string reason);
}
