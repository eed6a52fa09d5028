using ApexShop.Access;
using ApexShop.Caching;
using ApexShop.Hosting;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Intake;
using ApexShop.Projector.Operations;
using ApexShop.Projector.Operations.Auditing;
using ApexShop.Projector.Operations.Parking;
using ApexShop.Projector.Operations.Rebuilding;
using ApexShop.Projector.Projecting;
using ApexShop.Telemetry;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Hosting;

/// <summary>Registers all services of the process; the only type that reads configuration.</summary>
internal static class Services
{
    public static string ReadConnectionString(this IHostApplicationBuilder builder) => Required(builder, "Read");

    public static void AddProjector(this IHostApplicationBuilder builder)
    {
        var read = builder.ReadConnectionString();
        var redis = Required(builder, "Redis");
        var services = builder.Services;
        services.AddSingleton(TimeProvider.System);
        builder.AddGracefulShutdown();
        builder.AddTelemetry("apexshop-projector");
        services.AddSingleton(_ => ReadDatabase.Create(read));
        services.AddSingleton(_ => new DedicatedConnections(read));
        services.AddCacheTags(redis, builder.Configuration[CacheNames.Setting] ?? CacheNames.DefaultPrefix);
        services.AddProjecting();
        services.AddParking();
        services.AddEventLog();
        services.AddAuditing();
        services.AddRebuilding();
        services.AddIntake();
        services.AddHealth(read);
        services.AddApiKeys();
        services.AddProblems();
    }

    private static void AddProjecting(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<ShopOptions, ShopOptionsValidator>()
            .BindConfiguration(ShopOptions.Section);
        services.AddSingleton(provider =>
            new Projections(provider.GetRequiredService<IOptions<ShopOptions>>().Value.Currency));
        services.AddSingleton<ProjectorMetrics>();
        services.AddSingleton<ForeignLogs>();
        services.AddSingleton<IProjectionStore, ProjectionStore>();
        services.AddSingleton<BatchTransaction>();
        services.AddSingleton<HoleFiller>();
        services.AddSingleton<BatchApplier>();
        services.AddSingleton<ICheckpoints, Checkpoints>();
        services.AddSingleton<LogApplier>();
        services.AddSingleton(provider => ActivatorUtilities.CreateInstance<LogWatch>(
            provider, (CancellationToken ct) => HasMessagesAsync(provider, ct)));
        services.AddHostedService(provider => provider.GetRequiredService<LogWatch>());
        services.AddHostedService(provider => ActivatorUtilities.CreateInstance<StallWatch>(
            provider, () => provider.GetRequiredService<EventConsumer>().HasDeliveries));
        services.AddHostedService<NameRefresher>();
        services.AddHostedService<ProjectionGauges>();
    }

    private static void AddParking(this IServiceCollection services)
    {
        services.AddSingleton<AggregateHealer>();
        services.AddSingleton<ParkedAggregates>();
        services.AddSingleton<ParkedReplayer>();
        services.AddSingleton<DeadLetterReplayer>();
        services.AddHostedService<ParkedGauges>();
    }

    private static void AddEventLog(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<EventLogOptions, EventLogOptionsValidator>()
            .BindConfiguration(EventLogOptions.Section);
        services.AddHttpClient(nameof(EventLogClient), (provider, http) =>
        {
            var options = provider.GetRequiredService<IOptions<EventLogOptions>>().Value;
            http.BaseAddress = options.Url;
            http.Timeout = TimeSpan.FromSeconds(30);
            http.DefaultRequestHeaders.Authorization = new("Bearer", options.ApiKey);
        }).AddHttpMessageHandler(provider =>
            new EventLogFailover(provider.GetRequiredService<IOptions<EventLogOptions>>()))
            .AddPeerConnections();
        services.AddSingleton(provider =>
            new EventLogClient(provider.GetRequiredService<IHttpClientFactory>().CreateClient(nameof(EventLogClient))));
        services.AddSingleton<IEventLog>(provider => provider.GetRequiredService<EventLogClient>());
    }

    private static void AddAuditing(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<AuditingOptions, AuditingOptionsValidator>().BindConfiguration(
            AuditingOptions.Section);
        services.AddSingleton(provider => new WriteSideClient(
            provider.GetRequiredService<IHttpClientFactory>().CreateClient(nameof(EventLogClient))));
        services.AddSingleton<BucketReader>();
        services.AddSingleton<BucketComparer>();
        services.AddSingleton<Repairer>();
        services.AddSingleton<AuditParts>();
        services.AddSingleton<AuditRecord>();
        services.AddSingleton<Auditor>();
        services.AddHostedService<DriftGauge>();
        services.AddHostedService<AuditSchedule>();
    }

    private static void AddRebuilding(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<RebuildingOptions, RebuildingOptionsValidator>()
            .BindConfiguration(RebuildingOptions.Section);
        services.AddSingleton<RebuildRecord>();
        services.AddSingleton<Rebuilder>();
        services.AddHostedService(provider => provider.GetRequiredService<Rebuilder>());
        services.AddSingleton<PreviousTables>();
        services.AddSingleton<ExchangeHealer>();
        services.AddSingleton<LogContinuity>();
        services.AddSingleton<CurrencyCheck>();
        services.AddSingleton<RestoreWatch>();
        services.AddHostedService(provider => provider.GetRequiredService<RestoreWatch>());
        services.AddHostedService<RestoreGauge>();
    }

    private static void AddIntake(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<MessagingOptions, MessagingOptionsValidator>()
            .BindConfiguration(MessagingOptions.Section);
        services.AddSingleton<DeadLetters>();
        services.AddSingleton<QueueProbe>();
        services.AddSingleton<EventConsumer>();
        services.AddSingleton<DeadLetterConsumer>();
        services.AddSingleton<BrokerConnection>();
        services.AddHostedService(provider => provider.GetRequiredService<BrokerConnection>());
        services.AddHealthChecks().AddCheck<BrokerConnection>("rabbitmq");
        services.AddHostedService<QueueGauges>();
    }

    // Resolved with each call: the log watch needs the consumer, and the consumer needs the log watch.
    private static async Task<bool> HasMessagesAsync(IServiceProvider provider, CancellationToken ct) =>
        await provider.GetRequiredService<QueueProbe>().HasMessagesAsync(ct)
        || provider.GetRequiredService<EventConsumer>().HasDeliveries;

    private static string Required(IHostApplicationBuilder builder, string name) =>
        builder.Configuration.GetConnectionString(name)
        ?? throw new InvalidOperationException($"ConnectionStrings:{name} is not configured.");
}
