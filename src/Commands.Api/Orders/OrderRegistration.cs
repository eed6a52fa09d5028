namespace ApexShop.Commands.Api.Orders;

internal static class OrderRegistration
{
    public static void AddOrders(this IServiceCollection services) => services.AddSingleton(OrderTable.UnknownUser);
}
