namespace ApexShop.Commands.Api.Products;

internal static class ProductRegistration
{
    public static void AddProducts(this IServiceCollection services)
    {
        services.AddSingleton(ProductTable.UnknownCategory);
        services.AddSingleton(ProductTable.SkuTaken);
        services.AddSingleton(ProductTable.SlugTaken);
        services.AddScoped<StockReservation>();
        services.AddScoped<StockRelease>();
        services.AddScoped<StockWriter>();
    }
}
