namespace ApexShop.Commands.Api.Bulk;

internal static class BulkRegistration
{
    public static void AddBulk(this IServiceCollection services)
    {
        services.AddScoped<BulkInsert>();
        services.AddScoped<BulkReplacement>();
        services.AddScoped<ChunkedDeletion>();
        services.AddSingleton<ChunkRunner>();
    }
}
