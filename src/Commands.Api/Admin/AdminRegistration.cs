namespace ApexShop.Commands.Api.Admin;

internal static class AdminRegistration
{
    public static void AddAdmin(this IServiceCollection services)
    {
        services.AddSingleton<ShopSeeder>();
    }
}
