namespace ApexShop.Commands.Api.Orders;

/// <summary>From Pending to Delivered in this order; Cancelled only before Shipped.</summary>
internal enum OrderStatus
{
    Pending,
    Processing,
    Shipped,
    Delivered,
    Cancelled,
}

internal static class OrderStatuses
{
    /// <summary>Whether the order reserves stock: it has not been shipped.</summary>
    public static bool ReservesStock(this OrderStatus status) =>
        status is OrderStatus.Pending or OrderStatus.Processing;

    /// <summary>Whether nothing of the order changes any more.</summary>
    public static bool IsClosed(this OrderStatus status) => status is OrderStatus.Delivered or OrderStatus.Cancelled;

    public static bool MayBecome(this OrderStatus from, OrderStatus to) => (from, to) switch
    {
        (OrderStatus.Pending, OrderStatus.Processing) => true,
        (OrderStatus.Processing, OrderStatus.Shipped) => true,
        (OrderStatus.Shipped, OrderStatus.Delivered) => true,
        (_, OrderStatus.Cancelled) => from.ReservesStock(),
        _ => false,
    };
}
