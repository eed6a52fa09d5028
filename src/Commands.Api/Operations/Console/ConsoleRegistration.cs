using ApexShop.Hosting;

namespace ApexShop.Commands.Api.Operations.Console;

internal static class ConsoleRegistration
{
    // Larger than any metrics page; an endless response is an error.
    private const int MaxResponseBytes = 4 * 1024 * 1024;

    public static void AddConsole(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<QueriesOptions, QueriesOptionsValidator>()
            .BindConfiguration(QueriesOptions.Section);
        // Without loggers, because a console page that refreshes every second would fill the log.
        services.AddHttpClient(nameof(PeerClient), http =>
        {
            // PipelineStatusReader limits the time of all its requests together.
            http.Timeout = Timeout.InfiniteTimeSpan;
            http.MaxResponseContentBufferSize = MaxResponseBytes;
        }).AddPeerConnections().RemoveAllLoggers();
        services.AddSingleton<PeerClient>();
        services.AddSingleton<LogStatusReader>();
        services.AddSingleton<ProjectionStatusReader>();
        services.AddSingleton<CacheStatusReader>();
        services.AddSingleton<ProcessHealthReader>();
        services.AddSingleton<PipelineStatusReader>();
    }
}
