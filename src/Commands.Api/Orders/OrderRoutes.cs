using ApexShop.Events;

namespace ApexShop.Commands.Api.Orders;

internal static class OrderRoutes
{
    public static void MapOrders(this IEndpointRouteBuilder app)
    {
        var orders = app.MapGroup("/orders").WithTags(Resources.Orders);
        CreateOrder.Map(orders);
        UpdateOrder.Map(orders);
        DeleteOrder.Map(orders);
        DeleteOldOrders.Map(orders);
    }
}
