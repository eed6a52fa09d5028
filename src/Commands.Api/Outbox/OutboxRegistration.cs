using Microsoft.EntityFrameworkCore.Diagnostics;

namespace ApexShop.Commands.Api.Outbox;

internal static class OutboxRegistration
{
    public static void AddOutbox(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<OutboxOptions, OutboxOptionsValidator>()
            .BindConfiguration(OutboxOptions.Section);
        services.AddSingleton<EventIdGenerator>();
        services.AddHttpContextAccessor();
        services.AddSingleton<Actor>();
        services.AddScoped<EventOutbox>();
        services.AddSingleton<OutboxStatus>();
        services.AddSingleton<OutboxSignal>();
        services.AddSingleton<IInterceptor, SignalInterceptor>();
        services.AddHostedService(provider => provider.GetRequiredService<OutboxSignal>());
        services.AddHealthChecks().AddCheck<BrokerCheck>("rabbitmq");
        services.AddMetrics();
        services.AddHostedService<OutboxGauges>();
    }

    /// <summary>Adds the loops that sequence and publish events while this process leads.</summary>
    public static void AddOutboxLeader(this IServiceCollection services, string? connectionString)
    {
        services.AddOptionsWithValidateOnStart<MessagingOptions, MessagingOptionsValidator>()
            .BindConfiguration(MessagingOptions.Section);
        services.AddSingleton<ILeaderConnections>(_ => new LeaderConnections(connectionString
            ?? throw new InvalidOperationException("ConnectionStrings:Shop is not configured.")));
        services.AddSingleton<LeaderLease>();
        services.AddSingleton<LogHeadSignal>();
        services.AddSingleton<Sequencer>();
        services.AddSingleton<IEventBus, EventBus>();
        services.AddSingleton<PublishMetrics>();
        services.AddSingleton<EventPublisher>();
        services.AddSingleton<BrokerProbe>();
        services.AddHostedService(provider => provider.GetRequiredService<BrokerProbe>());
        services.AddHostedService<OutboxLeader>();
    }
}
