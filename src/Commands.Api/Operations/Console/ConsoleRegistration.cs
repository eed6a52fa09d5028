namespace ApexShop.Commands.Api.Operations.Console;

internal static class ConsoleRegistration
{
    // More than any page of metrics has; what never ends is no answer.
    private const int MaxAnswerBytes = 4 * 1024 * 1024;

    public static void AddConsole(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddOptions<QueriesOptions>().Bind(configuration.GetSection(QueriesOptions.Section));
        // A page that looks each second would fill the log with its questions.
        services.AddHttpClient(nameof(Neighbour), http =>
        {
            // Who asks has a time limit over all.
            http.Timeout = Timeout.InfiniteTimeSpan;
            http.MaxResponseContentBufferSize = MaxAnswerBytes;
        }).RemoveAllLoggers();
        services.AddSingleton<Neighbour>();
        services.AddSingleton<LogReading>();
        services.AddSingleton<ProjectionReading>();
        services.AddSingleton<CacheReading>();
        services.AddSingleton<PipelineReading>();
    }
}
