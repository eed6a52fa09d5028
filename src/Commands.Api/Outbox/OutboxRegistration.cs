using Microsoft.EntityFrameworkCore.Diagnostics;

namespace ApexShop.Commands.Api.Outbox;

internal static class OutboxRegistration
{
    public static void AddOutbox(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddOptionsWithValidateOnStart<OutboxOptions, OutboxOptionsValidator>()
            .BindConfiguration(OutboxOptions.Section);
        services.AddSingleton<EventIdGenerator>();
        services.AddScoped<EventOutbox>();
        services.AddSingleton<EventLog>();
        services.AddSingleton<OutboxStatus>();
        services.AddSingleton<OutboxSignal>();
        services.AddSingleton<IInterceptor, SignalAfterCommit>();
        services.AddHostedService(provider => provider.GetRequiredService<OutboxSignal>());
        services.AddHealthChecks().AddCheck<BrokerCheck>("rabbitmq");
        services.AddMetrics();
        services.AddHostedService<OutboxGauges>();
        if (configuration.GetSection(OutboxOptions.Section).GetValue(nameof(OutboxOptions.Enabled), true))
            services.AddLeader(configuration);
    }

    private static void AddLeader(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddOptionsWithValidateOnStart<MessagingOptions, MessagingOptionsValidator>()
            .BindConfiguration(MessagingOptions.Section);
        services.AddSingleton(_ => new LeaderConnections(configuration.GetConnectionString("Shop")
            ?? throw new InvalidOperationException("ConnectionStrings:Shop is not configured.")));
        services.AddSingleton<LeaderLease>();
        services.AddSingleton<LogHeadSignal>();
        services.AddSingleton<Sequencer>();
        services.AddSingleton<EventBus>();
        services.AddSingleton<PublishMetrics>();
        services.AddSingleton<EventPublisher>();
        services.AddHostedService<OutboxLeader>();
    }
}
