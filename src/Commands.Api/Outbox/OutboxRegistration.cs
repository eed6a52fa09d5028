using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>What turns outbox rows into log entries and messages.</summary>
internal static class OutboxRegistration
{
    public static IServiceCollection AddOutbox(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddOptions<OutboxOptions>().Bind(configuration.GetSection(OutboxOptions.Section)).ValidateOnStart();
        services.AddOptions<MessagingOptions>().Bind(configuration.GetSection(MessagingOptions.Section)).ValidateOnStart();
        services.AddSingleton<IValidateOptions<OutboxOptions>, OutboxOptionsValidator>();
        services.AddSingleton<IValidateOptions<MessagingOptions>, MessagingOptionsValidator>();
        services.TryAddSingleton(TimeProvider.System);
        services.AddSingleton(_ => new LogConnections(configuration.GetConnectionString("Shop")
            ?? throw new InvalidOperationException("ConnectionStrings:Shop is not set.")));
        services.AddScoped<EventOutbox>();
        services.AddSingleton<EventLog>();
        services.AddSingleton<OutboxStatus>();
        services.AddSingleton<LogHead>();
        services.AddSingleton<Sequencer>();
        services.AddSingleton<EventBus>();
        services.AddSingleton<EventPublisher>();
        services.AddHostedService<OutboxLeader>();
        return services;
    }
}
