using ApexShop.Hosting;
using ApexShop.OpenApi;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Endpoints;
using ApexShop.Queries.Api.Limits;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Streaming;
using Microsoft.AspNetCore.Cors.Infrastructure;
using Microsoft.AspNetCore.RateLimiting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Hosting;

/// <summary>What each room needs; the only place that reads configuration.</summary>
internal static class Services
{
    public static void AddHost(this WebApplicationBuilder builder)
    {
        builder.UseShopListeners();
        // No query has a body.
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Limits.MaxRequestBodySize = 0);
        builder.AddTransport();
        builder.AddGracefulShutdown();
        builder.Services.AddOptions<CorsSettings>().Bind(builder.Configuration.GetSection(CorsSettings.Section)).ValidateOnStart();
        builder.Services.AddSingleton<IValidateOptions<CorsSettings>, CorsSettingsValidator>();
        builder.Services.AddSingleton<IConfigureOptions<CorsOptions>, CrossOrigin>();
        builder.Services.AddCors();
        builder.Services.AddOptions<DocsOptions>().Bind(builder.Configuration.GetSection(DocsOptions.Section));
        builder.Services.AddSingleton<ExceptionMapping>();
        builder.Services.AddSingleton(TimeProvider.System);
    }

    public static void AddLimits(this WebApplicationBuilder builder)
    {
        builder.Services.AddOptions<LimitOptions>()
            .Bind(builder.Configuration.GetSection(LimitOptions.Section))
            .ValidateOnStart();
        builder.Services.AddSingleton<IValidateOptions<LimitOptions>, LimitOptionsValidator>();
        builder.Services.AddSingleton<LimitTable>();
        builder.Services.AddSingleton<RequestRate>();
        builder.Services.AddSingleton<RequestLimit>();
    }

    public static void AddReading(this WebApplicationBuilder builder)
    {
        builder.Services.AddOptions<ReadingOptions>()
            .Bind(builder.Configuration.GetSection(ReadingOptions.Section))
            .Configure(reading =>
            {
                reading.ConnectionString = builder.Configuration.GetConnectionString("Read") ?? "";
                reading.StreamsConnectionString = builder.Configuration.GetConnectionString("ReadStreams") ?? "";
            })
            .PostConfigure(reading => SetDevelopmentKey(reading, builder.Environment))
            .ValidateOnStart();
        builder.Services.AddSingleton<IValidateOptions<ReadingOptions>, ReadingOptionsValidator>();
        builder.Services.AddSingleton<ReadDatabase>();
        builder.Services.AddSingleton<DocumentCounts>();
        builder.Services.AddSingleton<Cursors>();
    }

    // Cursors of a developer's process outlive it; anywhere else the key is a secret that has to be given.
    private static void SetDevelopmentKey(ReadingOptions reading, IHostEnvironment environment)
    {
        if (environment.IsDevelopment() && reading.CursorKey.Length == 0) reading.CursorKey = new string('A', 44);
    }

    public static void AddCaching(this WebApplicationBuilder builder)
    {
        builder.Services.AddOptions<CachingOptions>()
            .Bind(builder.Configuration.GetSection(CachingOptions.Section))
            .Configure(caching => caching.Redis = builder.Configuration.GetConnectionString("Redis") ?? "")
            .ValidateOnStart();
        builder.Services.AddSingleton<IValidateOptions<CachingOptions>, CachingOptionsValidator>();
        builder.Services.AddCache();
    }

    public static void AddConsistency(this WebApplicationBuilder builder)
    {
        builder.Services.AddOptions<ConsistencyOptions>()
            .Bind(builder.Configuration.GetSection(ConsistencyOptions.Section))
            .ValidateOnStart();
        builder.Services.AddSingleton<IValidateOptions<ConsistencyOptions>, ConsistencyOptionsValidator>();
        builder.Services.AddSingleton<WaitMetrics>();
    }

    public static void AddStreaming(this WebApplicationBuilder builder)
    {
        builder.Services.AddOptions<StreamingOptions>()
            .Bind(builder.Configuration.GetSection(StreamingOptions.Section))
            .ValidateOnStart();
        builder.Services.AddSingleton<IValidateOptions<StreamingOptions>, StreamingOptionsValidator>();
        builder.Services.AddSingleton<ExportRate>();
        builder.Services.AddSingleton<SegmentStream>();
        builder.Services.AddSingleton<StreamMetrics>();
        builder.Services.AddRateLimiter(_ => { });
        builder.Services.AddOptions<RateLimiterOptions>().Configure<IOptions<StreamingOptions>>((limits, streaming) =>
        {
            var places = streaming.Value.Concurrent;
            limits.AddConcurrencyLimiter(ResourceRoutes.StreamLimit, limit => limit.PermitLimit = places);
            limits.OnRejected = (rejected, _) =>
            {
                rejected.HttpContext.RequestServices.GetRequiredService<StreamMetrics>().Refused();
                return new(Problem.TooManyStreams().WriteAsync(rejected.HttpContext));
            };
        });
        // Kestrel's usual rate would let a client that reads nothing keep its place for a quarter of an hour.
        builder.Services.AddOptions<KestrelServerOptions>().Configure<IOptions<StreamingOptions>>((kestrel, streaming) =>
            kestrel.Limits.MinResponseDataRate = new MinDataRate(
                streaming.Value.SlowestBytesPerSecond, TimeSpan.FromSeconds(streaming.Value.StallSeconds)));
    }
}
