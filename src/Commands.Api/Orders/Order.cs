using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Orders;

/// <summary>An order of a user. Its items, with their names and prices, never change after it is placed.</summary>
internal sealed class Order : IAggregate
{
    private readonly List<OrderItem> items = [];

    private Order()
    {
    }

    public static Resource Resource => Resource.Orders;

    public int Id { get; private set; }

    public int UserId { get; private set; }

    public DateTimeOffset OrderDate { get; private set; }

    public OrderStatus Status { get; private set; }

    public decimal TotalAmount { get; private set; }

    public string ShippingAddress { get; private set; } = "";

    public string? TrackingNumber { get; private set; }

    public DateTimeOffset? ShippedDate { get; private set; }

    public DateTimeOffset? DeliveredDate { get; private set; }

    /// <summary>
    /// When the order is cancelled if it is still Pending, by the clock of the database; null for never.
    /// </summary>
    public DateTimeOffset? ExpiresAt { get; private set; }

    public IReadOnlyList<OrderItem> Items => items;

    /// <summary>Null as long as only a release that did not keep it has written the order.</summary>
    // Not public: EF would map a public list of a class to another table.
    internal IReadOnlyList<OrderStatusState>? StatusHistory { get; private set; }

    public long Version { get; private set; }

    public static Order New(
        int userId, string shippingAddress, IEnumerable<OrderItem> items, DateTimeOffset now, string actor,
        DateTimeOffset? expiresAt)
    {
        var order = new Order
        {
            UserId = userId,
            ShippingAddress = shippingAddress,
            OrderDate = now,
            ExpiresAt = expiresAt,
        };
        order.SetStatus(OrderStatus.Pending, now, actor);
        order.items.AddRange(items);
        order.TotalAmount = order.items.Sum(item => item.TotalPrice);
        return order;
    }

    public DomainEvent Placed() => Changed(EventTypes.OrderPlaced);

    /// <summary>
    /// The event, or null if the order has all these values already. The status must be the current one or one that
    /// <see cref="OrderStatuses.MayBecome"/> allows.
    /// </summary>
    public DomainEvent? Replace(
        OrderStatus status, string shippingAddress, string? trackingNumber, DateTimeOffset now, string actor)
    {
        if (status == Status && !DiffersIn(shippingAddress, trackingNumber)) return null;
        (ShippingAddress, TrackingNumber) = (shippingAddress, trackingNumber);
        if (status != OrderStatus.Pending) ExpiresAt = null;
        if (status == Status) return Changed(EventTypes.OrderUpdated);
        SetStatus(status, now, actor);
        if (status == OrderStatus.Shipped) ShippedDate = now;
        if (status == OrderStatus.Delivered) DeliveredDate = now;
        return Changed(EventTypes.OrderStatusChanged);
    }

    public bool DiffersIn(string shippingAddress, string? trackingNumber) =>
        (ShippingAddress, TrackingNumber) != (shippingAddress, trackingNumber);

    /// <summary>The quantities that the order took from stock.</summary>
    public IReadOnlyList<ProductQuantity> Quantities() =>
        [.. items.Select(item => new ProductQuantity(item.ProductId, item.Quantity))];

    public DomainEvent Deleted() =>
        new(EventTypes.OrderDeleted, Resource.Name, new DeletedState(Id, Version + 1));

    private void SetStatus(OrderStatus status, DateTimeOffset now, string actor) =>
        (Status, StatusHistory) =
            (status, [.. StatusHistory ?? [], new OrderStatusState(status.ToString(), now, actor)]);

    private DomainEvent Changed(string type)
    {
        Version++;
        return new DomainEvent(type, Resource.Name, new OrderState(
            Id, UserId, OrderDate, Status.ToString(), TotalAmount, ShippingAddress, TrackingNumber, ShippedDate,
            DeliveredDate,
            // The database returns items in any order; sorted by product they are equal in every event of the order.
            [.. items.OrderBy(item => item.ProductId).Select(item => item.ToState())], StatusHistory, Version));
    }
}
