namespace ApexShop.Projector.Operations.Rebuilding;

internal static class RebuildingRegistration
{
    public static void AddRebuilding(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<RebuildingOptions, RebuildingOptionsValidator>()
            .BindConfiguration(RebuildingOptions.Section);
        services.AddSingleton<RebuildRecord>();
        services.AddSingleton<Rebuilder>();
        services.AddHostedService(provider => provider.GetRequiredService<Rebuilder>());
        services.AddSingleton<PreviousTables>();
        services.AddSingleton<LogContinuity>();
        services.AddSingleton<RestoreWatch>();
        services.AddHostedService(provider => provider.GetRequiredService<RestoreWatch>());
    }
}
