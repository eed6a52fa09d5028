using ApexShop.Events;

namespace ApexShop.Commands.Api.Orders;

/// <summary>An item of an order, with the product's name and price at the time of the order.</summary>
internal sealed class OrderItem(int productId, string? productName, int quantity, decimal unitPrice)
{
    public long Id { get; private set; }

    public int OrderId { get; private set; }

    public int ProductId { get; private set; } = productId;

    /// <summary>Null in an item of a release that did not keep it.</summary>
    public string? ProductName { get; private set; } = productName;

    public int Quantity { get; private set; } = quantity;

    public decimal UnitPrice { get; private set; } = unitPrice;

    public decimal TotalPrice { get; private set; } = quantity * unitPrice;

    public OrderItemState ToState() => new(ProductId, ProductName, Quantity, UnitPrice, TotalPrice);
}
