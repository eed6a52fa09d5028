using ApexShop.Events;

namespace ApexShop.Commands.Api.Orders;

/// <summary>An item of an order, with the price at the time of the order.</summary>
internal sealed class OrderItem(int productId, int quantity, decimal unitPrice)
{
    public long Id { get; private set; }

    public int OrderId { get; private set; }

    public int ProductId { get; private set; } = productId;

    public int Quantity { get; private set; } = quantity;

    public decimal UnitPrice { get; private set; } = unitPrice;

    public decimal TotalPrice { get; private set; } = quantity * unitPrice;

    public OrderItemState ToState() => new(ProductId, Quantity, UnitPrice, TotalPrice);
}
