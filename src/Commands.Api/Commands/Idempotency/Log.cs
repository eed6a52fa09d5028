namespace ApexShop.Commands.Api.Commands.Idempotency;

internal static partial class Log
{
    [LoggerMessage(
        7000, LogLevel.Warning, "Expired responses could not be deleted; the next run tries again: {Reason}")]
    public static partial void SweepFailed(this ILogger logger, string reason, Exception? exception);
}
