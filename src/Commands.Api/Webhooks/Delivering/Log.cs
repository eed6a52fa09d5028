namespace ApexShop.Commands.Api.Webhooks.Delivering;

internal static partial class Log
{
    [LoggerMessage(7300, LogLevel.Warning, "Webhooks cannot be read; an attempt follows each second: {Reason}")]
    public static partial void WebhooksNotRead(this ILogger logger, string reason, Exception? exception);

    [LoggerMessage(
        7301, LogLevel.Warning, "The delivery of webhook {Id} was interrupted and continues within a minute: {Reason}")]
    public static partial void WebhookInterrupted(this ILogger logger, int id, string reason, Exception? exception);
}
