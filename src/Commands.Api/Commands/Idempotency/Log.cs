namespace ApexShop.Commands.Api.Commands.Idempotency;

internal static partial class Log
{
    [LoggerMessage(7000, LogLevel.Warning, "Expired answers could not be deleted; the next round tries again")]
    public static partial void SweepFailed(this ILogger logger, Exception exception);
}
