using ApexShop.Resources;

namespace ApexShop.Commands.Api.Orders;

internal static class OrderRoutes
{
    public static void MapOrders(this IEndpointRouteBuilder app)
    {
        var orders = app.MapGroup("/orders").WithTags(Resource.Orders.Name);
        CreateOrder.Map(orders);
        UpdateOrder.Map(orders);
        PatchOrder.Map(orders);
        DeleteOrder.Map(orders);
        DeleteOldOrders.Map(orders);
    }
}
