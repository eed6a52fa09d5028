using ApexShop.Commands.Api.Products;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Orders;

/// <summary>What a user bought. Its items never change once it is placed.</summary>
internal sealed class Order
{
    private readonly List<OrderItem> items = [];

    private Order()
    {
    }

    public int Id { get; private set; }

    public int UserId { get; private set; }

    public DateTimeOffset OrderDate { get; private set; }

    public OrderStatus Status { get; private set; }

    public decimal TotalAmount { get; private set; }

    public string ShippingAddress { get; private set; } = "";

    public string? TrackingNumber { get; private set; }

    public DateTimeOffset? ShippedDate { get; private set; }

    public DateTimeOffset? DeliveredDate { get; private set; }

    public IReadOnlyList<OrderItem> Items => items;

    public long Version { get; private set; }

    public static Order New(int userId, string shippingAddress, IEnumerable<OrderItem> items, DateTimeOffset now)
    {
        var order = new Order { UserId = userId, ShippingAddress = shippingAddress, OrderDate = now };
        order.items.AddRange(items);
        order.TotalAmount = order.items.Sum(item => item.TotalPrice);
        return order;
    }

    public DomainEvent Placed() => Changed(EventTypes.OrderPlaced);

    /// <summary>The status must be the present one or one that it <see cref="OrderStatuses.MayBecome"/>.</summary>
    public DomainEvent Replace(OrderStatus status, string shippingAddress, string? trackingNumber, DateTimeOffset now)
    {
        var type = status == Status ? EventTypes.OrderUpdated : EventTypes.OrderStatusChanged;
        if (status == OrderStatus.Shipped) ShippedDate ??= now;
        if (status == OrderStatus.Delivered) DeliveredDate ??= now;
        (Status, ShippingAddress, TrackingNumber) = (status, shippingAddress, trackingNumber);
        return Changed(type);
    }

    /// <summary>What it took from stock.</summary>
    public IReadOnlyList<StockLine> StockLines() => [.. items.Select(item => new StockLine(item.ProductId, item.Quantity))];

    public DomainEvent Deleted() => new(EventTypes.OrderDeleted, Resource.Orders.Name, new DeletedState(Id, Version + 1));

    private DomainEvent Changed(string type)
    {
        Version++;
        return new DomainEvent(type, Resource.Orders.Name, new OrderState(
            Id, UserId, OrderDate, Status.ToString(), TotalAmount, ShippingAddress, TrackingNumber, ShippedDate, DeliveredDate,
            // The database gives lines back in any order; by product every event of the order lists them alike.
            [.. items.OrderBy(item => item.ProductId).Select(item => item.ToState())], Version));
    }
}
