namespace ApexShop.Commands.Api.Orders;

internal static partial class Log
{
    [LoggerMessage(7200, LogLevel.Information, "{Count} orders were Pending for too long and were cancelled")]
    public static partial void OrdersExpired(this ILogger logger, int count);

    [LoggerMessage(
        7201, LogLevel.Warning, "Expired orders could not be cancelled; the next run tries again: {Reason}")]
    public static partial void ExpiryFailed(this ILogger logger, string reason, Exception? exception);

    [LoggerMessage(7202, LogLevel.Warning, "Order {Id} expired and could not be cancelled in this run: {Reason}")]
    public static partial void OrderNotExpired(this ILogger logger, int id, string reason, Exception? exception);

    [LoggerMessage(
        7203, LogLevel.Information,
        "Order {Id} expired, but a command has locked one of its products; the next run tries again")]
    public static partial void OrderExpiresLater(this ILogger logger, int id);
}
