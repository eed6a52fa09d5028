namespace ApexShop.Commands.Api.Outbox;

internal static class OutboxRegistration
{
    public static void AddOutbox(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddOptions<OutboxOptions>().Bind(configuration.GetSection(OutboxOptions.Section)).ValidateOnStart();
        services.AddScoped<EventOutbox>();
    }
}
