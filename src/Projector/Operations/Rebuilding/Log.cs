namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>What is logged of rebuilds and of a log that is another one.</summary>
internal static partial class Log
{
    [LoggerMessage(3200, LogLevel.Information, "The documents are rebuilt: {Cause}")]
    public static partial void RebuildBegins(this ILogger logger, string cause);

    [LoggerMessage(3201, LogLevel.Information, "The documents were rebuilt in {Seconds} s, up to {Position}; the tables before are kept")]
    public static partial void RebuildDone(this ILogger logger, double seconds, long position);

    [LoggerMessage(3202, LogLevel.Error, "The documents were not rebuilt: {Reason}")]
    public static partial void RebuildFailed(this ILogger logger, string reason);

    [LoggerMessage(3203, LogLevel.Warning, "The progress of the rebuild could not be stored: {Reason}")]
    public static partial void RebuildNotTold(this ILogger logger, string reason);

    [LoggerMessage(3204, LogLevel.Warning, "The tables before the last rebuild are back")]
    public static partial void RolledBack(this ILogger logger);

    [LoggerMessage(3205, LogLevel.Error, "The documents are not of this event log: {Reason}. {Consequence}")]
    public static partial void LogBroken(this ILogger logger, string reason, string consequence);

    [LoggerMessage(3206, LogLevel.Information, "The documents are of this event log again")]
    public static partial void LogContinues(this ILogger logger);

    [LoggerMessage(3207, LogLevel.Warning, "Whether the documents are of this event log could not be seen: {Reason}")]
    public static partial void LogNotCompared(this ILogger logger, string reason);
}
