using ApexShop.Projector.EventLog;
using ApexShop.Projector.Hosting;
using ApexShop.Telemetry;
using ApexShop.Telemetry.Prometheus;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>The whole process on a broker, a database and a Redis; only the event log is in memory.</summary>
internal sealed class RunningProjector : IAsyncDisposable
{
    private readonly WebApplication app;

    private readonly HttpClient http;

    private RunningProjector(WebApplication app)
    {
        this.app = app;
        http = new HttpClient { BaseAddress = Address };
        Operator = new HttpClient
        {
            BaseAddress = Address, DefaultRequestHeaders = { Authorization = new("Bearer", TestKeys.Everything) },
        };
    }

    public CollectedLogs Logs { get; private init; } = null!;

    /// <summary>A caller who may do everything.</summary>
    public HttpClient Operator { get; }

    public IServiceProvider Services => app.Services;

    public Uri Address => new(app.Urls.Single());

    public static async Task<RunningProjector> StartAsync(
        string database, string exchange, string queue, EventHistory history, Uri? broker = null)
    {
        var logs = new CollectedLogs();
        var keys = new Dictionary<string, string>();
        TestKeys.AddTo(keys);
        var builder = WebApplication.CreateSlimBuilder();
        builder.Configuration.AddInMemoryCollection(
            keys.ToDictionary(key => key.Key.Replace("__", ":", StringComparison.Ordinal), key => (string?)key.Value));
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["ConnectionStrings:Read"] = database,
            ["ConnectionStrings:Redis"] = Servers.Redis,
            ["Messaging:Url"] = (broker ?? Servers.RabbitMq).ToString(),
            ["Messaging:Exchange"] = exchange,
            ["Messaging:Queue"] = queue,
            ["EventLog:Url"] = "http://log/",
            ["EventLog:ApiKey"] = "key",
        });
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.AddProjector();
        builder.Services.AddSingleton<ILoggerFactory>(logs);
        builder.Services.AddHttpClient(nameof(EventLogClient)).ConfigurePrimaryHttpMessageHandler(() => history);

        var app = builder.Build();
        app.UseProjectorPipeline();
        app.MapHealth();
        app.MapMetrics();
        app.MapAdmin();
        await app.StartAsync();
        var projector = new RunningProjector(app) { Logs = logs };
        await Eventually.Holds(projector.IsReadyAsync, "the projector consumes");
        return projector;
    }

    public async Task<bool> IsReadyAsync() =>
        (await http.GetAsync(new Uri("/health/ready", UriKind.Relative))).IsSuccessStatusCode;

    public Task StopAsync() => app.StopAsync();

    public async ValueTask DisposeAsync()
    {
        http.Dispose();
        Operator.Dispose();
        await app.DisposeAsync();
    }
}
