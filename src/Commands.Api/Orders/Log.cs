namespace ApexShop.Commands.Api.Orders;

internal static partial class Log
{
    [LoggerMessage(7200, LogLevel.Information, "{Count} orders were Pending for too long and were cancelled")]
    public static partial void OrdersExpired(this ILogger logger, int count);

    [LoggerMessage(
        7201, LogLevel.Warning, "Expired orders could not be cancelled; the next run tries again: {Reason}")]
    public static partial void ExpiryFailed(this ILogger logger, string reason, Exception? exception);
}
