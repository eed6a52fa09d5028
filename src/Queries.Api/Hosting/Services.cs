using ApexShop.Consistency;
using ApexShop.Hosting;
using ApexShop.OpenApi;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Endpoints;
using ApexShop.Queries.Api.Limits;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Storefront;
using ApexShop.Queries.Api.Streaming;
using ApexShop.Queries.Api.Streaming.Rows;
using ApexShop.Queries.Api.Streaming.Segments;
using ApexShop.Queries.Api.Suggesting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Hosting;

/// <summary>The services of each component; the only place that reads configuration.</summary>
internal static class Services
{
    public static void AddHost(this WebApplicationBuilder builder)
    {
        builder.UseShopListeners();
        // Queries have no body.
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Limits.MaxRequestBodySize = 0);
        builder.AddTransport();
        builder.AddGracefulShutdown();
        builder.Services.AddCrossOrigin(QueryCrossOrigin.Rules);
        builder.Services.AddOptionsWithValidateOnStart<StorefrontOptions, StorefrontOptionsValidator>()
            .BindConfiguration(StorefrontOptions.Section);
        builder.Services.AddOptions<DocsOptions>().BindConfiguration(DocsOptions.Section);
        builder.Services.AddSingleton<ExceptionMapping>();
        builder.Services.AddSingleton(TimeProvider.System);
    }

    public static void AddLimits(this WebApplicationBuilder builder)
    {
        builder.Services.AddOptionsWithValidateOnStart<LimitOptions, LimitOptionsValidator>()
            .BindConfiguration(LimitOptions.Section);
        builder.Services.AddSingleton<LimitTable>();
        builder.Services.AddSingleton<UnsentResponses>();
        builder.Services.AddSingleton<RequestRateLimit>();
        builder.Services.AddSingleton<RequestTimeLimit>();
    }

    public static void AddReading(this WebApplicationBuilder builder)
    {
        builder.Services.AddOptionsWithValidateOnStart<ReadingOptions, ReadingOptionsValidator>()
            .BindConfiguration(ReadingOptions.Section)
            .Configure(reading =>
            {
                reading.ConnectionString = builder.Configuration.GetConnectionString("Read") ?? "";
                reading.StreamsConnectionString = builder.Configuration.GetConnectionString("ReadStreams") ?? "";
            })
            .PostConfigure(reading => SetDevelopmentKey(reading, builder.Environment));
        builder.Services.AddSingleton<ReadDatabase>();
        builder.Services.AddSingleton<IPrimaryProbe, PrimaryProbe>();
        builder.Services.AddSingleton<PauseCheck>();
        builder.Services.AddHostedService(provider => provider.GetRequiredService<PauseCheck>());
        builder.Services.AddSingleton<Cursors>();
        builder.Services.AddSingleton<ExpensiveCounts>();
        builder.Services.AddSingleton<PagePlaces>();
        builder.Services.AddSingleton<ListReader>();
        builder.Services.AddSingleton<NameWordCache>();
        builder.Services.AddSingleton<SuggestionReader>();
        builder.Services.AddSingleton<PageLoader>();
        builder.Services.AddSingleton<IPageReader, PageReader>();
    }

    // In development cursors stay valid when the process restarts; elsewhere the key is a secret and must be set.
    private static void SetDevelopmentKey(ReadingOptions reading, IHostEnvironment environment)
    {
        if (environment.IsDevelopment() && reading.CursorKey.Length == 0) reading.CursorKey = new string('A', 44);
    }

    public static void AddCaching(this WebApplicationBuilder builder)
    {
        builder.Services.AddOptionsWithValidateOnStart<CachingOptions, CachingOptionsValidator>()
            .BindConfiguration(CachingOptions.Section)
            .Configure(caching => caching.Redis = builder.Configuration.GetConnectionString("Redis") ?? "");
        builder.Services.AddCache();
    }

    public static void AddConsistency(this WebApplicationBuilder builder)
    {
        builder.Services.AddOptionsWithValidateOnStart<ConsistencyOptions, ConsistencyOptionsValidator>()
            .BindConfiguration(ConsistencyOptions.Section);
        builder.Services.AddConsistencyTokens();
        builder.Services.AddSingleton<WaitMetrics>();
    }

    public static void AddStreaming(this WebApplicationBuilder builder)
    {
        builder.Services.AddOptionsWithValidateOnStart<StreamingOptions, StreamingOptionsValidator>()
            .BindConfiguration(StreamingOptions.Section);
        builder.Services.AddSingleton<ExportRateLimit>();
        builder.Services.AddSingleton<StreamDatabase>();
        builder.Services.AddSingleton<RowStream>();
        builder.Services.AddSingleton<SegmentStream>();
        builder.Services.AddSingleton<StreamMetrics>();
        builder.Services.AddSingleton<StreamPlaces>();
        // With Kestrel's default rate a client that reads nothing would occupy its permit for a quarter of an hour.
        builder.Services.AddOptions<KestrelServerOptions>().Configure<IOptions<StreamingOptions>>((kestrel, streams) =>
            kestrel.Limits.MinResponseDataRate = new MinDataRate(
                streams.Value.SlowestBytesPerSecond, TimeSpan.FromSeconds(streams.Value.StallSeconds)));
    }
}
