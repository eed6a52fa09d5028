using System.Net.Http.Headers;
using ApexShop.Access;
using ApexShop.Caching;
using ApexShop.Hosting;
using ApexShop.Projector.Auditing;
using ApexShop.Projector.Batches;
using ApexShop.Projector.Caching;
using ApexShop.Projector.Messaging;
using ApexShop.Projector.Parking;
using ApexShop.Projector.ReadModels;
using ApexShop.Telemetry;
using ApexShop.Projector.Rebuilding;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Hosting;

/// <summary>Everything the process is made of; the only place that reads configuration.</summary>
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
        services.AddSingleton(_ => new OwnSessions(read));
        services.AddSingleton(_ => new RedisConnection(redis));
        services.AddSingleton(new CacheNames(builder.Configuration[CacheNames.Setting] ?? CacheNames.DefaultPrefix));
        services.AddSingleton<TagGenerations>();
        services.AddSingleton<TagRaiser>();
        services.AddHostedService(provider => provider.GetRequiredService<TagRaiser>());
        services.AddBatches();
        services.AddParking();
        services.AddEventLog();
        services.AddAuditing();
        services.AddRebuilding();
        services.AddEventBus();
        services.AddHealth();
        services.AddApiKeys();
        services.AddProblems();
    }

    private static void AddBatches(this IServiceCollection services)
    {
        services.AddSingleton<Projections>();
        services.AddSingleton<ProjectorMetrics>();
        services.AddSingleton<EventApplication>();
        services.AddSingleton<BatchTransaction>();
        services.AddSingleton<BatchApplier>();
        services.AddSingleton<Arrivals>();
        services.AddSingleton<BatchLine>();
        services.AddSingleton<LogWatch>();
        services.AddHostedService(provider => provider.GetRequiredService<LogWatch>());
        services.AddHostedService<ProjectionGauges>();
    }

    private static void AddParking(this IServiceCollection services)
    {
        services.AddSingleton<AggregateHealer>();
        services.AddSingleton<ParkedAggregates>();
        services.AddSingleton<ParkedReplayer>();
        services.AddSingleton<DeadLetters>();
        services.AddSingleton<DeadLetterReplayer>();
        services.AddHostedService<ParkedGauges>();
    }

    private static void AddEventLog(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<EventLogOptions, EventLogOptionsValidator>()
            .BindConfiguration(EventLogOptions.Section);
        services.AddHttpClient(nameof(EventLog), (provider, http) =>
        {
            var options = provider.GetRequiredService<IOptions<EventLogOptions>>().Value;
            http.BaseAddress = options.Url;
            http.Timeout = TimeSpan.FromSeconds(30);
            http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", options.ApiKey);
        }).AddHttpMessageHandler(provider => new EventLogFailover(provider.GetRequiredService<IOptions<EventLogOptions>>()));
        services.AddSingleton(provider =>
            new EventLog(provider.GetRequiredService<IHttpClientFactory>().CreateClient(nameof(EventLog))));
    }

    private static string Required(IHostApplicationBuilder builder, string name) =>
        builder.Configuration.GetConnectionString(name)
        ?? throw new InvalidOperationException($"ConnectionStrings:{name} is not configured.");
}
