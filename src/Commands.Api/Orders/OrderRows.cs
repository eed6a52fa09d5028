using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Orders;

/// <summary>Orders and their items as rows of COPY.</summary>
internal static class OrderRows
{
    private const string Columns =
        "id, user_id, order_date, status, total_amount, shipping_address, tracking_number, shipped_date, "
        + "delivered_date, status_history, version";

    private const string ItemColumns = "order_id, product_id, product_name, quantity, unit_price, total_price";

    public static CopyTable<OrderState> Table { get; } = new(
        Resource.Orders.Name, "shop.order_ids", EventTypes.OrderPlaced, EventJson.Wire.OrderState,
        new CopyTarget<OrderState>("shop.orders", Columns, Write),
        new CopyTarget<OrderState>("shop.order_items", ItemColumns, WriteItems));

    private static void Write(CopyBuffer buffer, OrderState order) => buffer.Row()
        .Integer(order.Id).Integer(order.UserId).Timestamp(order.OrderDate).Text(order.Status).Money(order.TotalAmount)
        .Text(order.ShippingAddress).Text(order.TrackingNumber).Timestamp(order.ShippedDate)
        .Timestamp(order.DeliveredDate)
        .Json(order.StatusHistory!, EventJson.Wire.IReadOnlyListOrderStatusState).Bigint(order.Version);

    private static void WriteItems(CopyBuffer buffer, OrderState order)
    {
        foreach (var item in order.Items)
        {
            buffer.Row().Integer(order.Id).Integer(item.ProductId).Text(item.ProductName).Integer(item.Quantity)
                .Money(item.UnitPrice).Money(item.TotalPrice);
        }
    }
}
