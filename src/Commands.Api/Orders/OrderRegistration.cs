namespace ApexShop.Commands.Api.Orders;

internal static class OrderRegistration
{
    public static void AddOrders(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<OrderOptions, OrderOptionsValidator>()
            .BindConfiguration(OrderOptions.Section);
        services.AddSingleton(OrderTable.UnknownUser);
        services.AddScoped<OrderReplacement>();
        services.AddScoped<OrderReservation>();
        services.AddScoped<PendingOrderLimit>();
        services.AddHostedService<OrderExpiry>();
    }
}
