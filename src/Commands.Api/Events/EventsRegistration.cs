using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Events;

internal static class EventsRegistration
{
    public static void AddEvents(this IServiceCollection services, string? connectionString)
    {
        services.AddOptionsWithValidateOnStart<EventsOptions, EventsOptionsValidator>()
            .BindConfiguration(EventsOptions.Section);
        services.AddSingleton(provider => EventLogConnections.Create(
            connectionString ?? throw new InvalidOperationException("ConnectionStrings:Shop is not configured."),
            provider.GetRequiredService<IOptions<EventsOptions>>().Value.Connections));
        services.AddSingleton<EventLogReader>();
        services.AddSingleton<LogHeadReader>();
        services.AddSingleton<EventLogStream>();
        services.AddSingleton<ReaderLimit>();
        services.AddSingleton<LogTail>();
        services.AddHostedService(provider => provider.GetRequiredService<LogTail>());
        services.AddSingleton<LiveEventStream>();
        services.AddSingleton<LogCompaction>();
        services.AddHostedService(provider => provider.GetRequiredService<LogCompaction>());
        // With Kestrel's default rate, a client that reads nothing could keep its response open for half an hour.
        services.AddOptions<KestrelServerOptions>().Configure<IOptions<EventsOptions>>((kestrel, events) =>
            kestrel.Limits.MinResponseDataRate = new MinDataRate(
                events.Value.SlowestBytesPerSecond, TimeSpan.FromSeconds(events.Value.StallSeconds)));
    }
}
