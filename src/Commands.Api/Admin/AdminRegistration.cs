namespace ApexShop.Commands.Api.Admin;

internal static class AdminRegistration
{
    public static void AddAdmin(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddSingleton<ShopSeeder>();
        services.AddOptions<ProjectorOptions>().Bind(configuration.GetSection(ProjectorOptions.Section));
        services.AddHttpClient(nameof(ProjectorGateway), http => http.Timeout = Timeout.InfiniteTimeSpan);
        services.AddSingleton<ProjectorGateway>();
    }
}
