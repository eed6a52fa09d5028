namespace ApexShop.Commands.Api.Hosting;

internal static partial class Log
{
    [LoggerMessage(6000, LogLevel.Warning, "A reader's events broke off; the answer tells where to go on")]
    public static partial void FeedBroken(this ILogger logger, Exception exception);

    [LoggerMessage(6001, LogLevel.Warning, "The end of the log cannot be read; those who follow it wait")]
    public static partial void TailBroken(this ILogger logger, Exception exception);
}
