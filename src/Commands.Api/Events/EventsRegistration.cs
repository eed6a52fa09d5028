using ApexShop.Commands.Api.Events.AsyncApi;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Events;

internal static class EventsRegistration
{
    public static void AddEvents(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddOptions<EventsOptions>().Bind(configuration.GetSection(EventsOptions.Section)).ValidateOnStart();
        services.AddSingleton<IValidateOptions<EventsOptions>, EventsOptionsValidator>();
        services.AddSingleton(provider => new FeedConnections(
            configuration.GetConnectionString("Shop") ?? throw new InvalidOperationException("ConnectionStrings:Shop is not configured."),
            provider.GetRequiredService<IOptions<EventsOptions>>().Value.Connections));
        services.AddSingleton<EventFeed>();
        services.AddSingleton<FeedStream>();
        services.AddSingleton<LogTail>();
        services.AddHostedService(provider => provider.GetRequiredService<LogTail>());
        services.AddSingleton<LiveStream>();
        services.AddSingleton<AsyncApiDocument>();
        // Kestrel's usual rate would let a client that reads nothing keep its answer for half an hour.
        services.AddOptions<KestrelServerOptions>().Configure<IOptions<EventsOptions>>((kestrel, events) =>
            kestrel.Limits.MinResponseDataRate = new MinDataRate(
                events.Value.SlowestBytesPerSecond, TimeSpan.FromSeconds(events.Value.StallSeconds)));
    }
}
