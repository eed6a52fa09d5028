namespace ApexShop.Projector.Operations.Auditing;

/// <summary>Log messages about audits.</summary>
internal static partial class Log
{
    [LoggerMessage(3300, LogLevel.Information,
        "Audit: {Compared} documents compared, {Different} differences, {Repaired} repaired, "
        + "{NotCompared} not compared, {Seconds} s")]
    public static partial void Audited(
        this ILogger logger, long compared, long different, long repaired, long notCompared, double seconds);

    [LoggerMessage(3301, LogLevel.Warning,
        "Audit: {Resource}/{Id} (segment {Segment}) differs: {What} {Fields}, repaired: {Repaired}")]
    public static partial void DocumentDiffers(
        this ILogger logger, string resource, int? id, int? segment, string what, string fields, bool? repaired);

    [LoggerMessage(3302, LogLevel.Warning, "The documents could not be audited: {Reason}")]
    public static partial void NotAudited(this ILogger logger, string reason);
}
