using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Telemetry;
using ApexShop.TestKit;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace ApexShop.Commands.Api.Tests.Outbox;

/// <summary>The outbox room of one Commands.Api process, running.</summary>
internal sealed class OutboxProcess : IAsyncDisposable
{
    private readonly IHost host;
    private readonly Warnings warnings;

    private OutboxProcess(IHost host, Warnings warnings)
    {
        this.host = host;
        this.warnings = warnings;
    }

    public OutboxStatus Status => host.Services.GetRequiredService<OutboxStatus>();

    public IMeterFactory Meters => host.Services.GetRequiredService<IMeterFactory>();

    /// <summary>Ids of the warnings that were logged so far.</summary>
    public IReadOnlyCollection<int> WarningIds => warnings.Ids;

    public static async Task<OutboxProcess> StartAsync(
        LogDatabase database, string exchange, Uri? broker = null, params (string Name, string Value)[] settings)
    {
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["ConnectionStrings:Shop"] = database.Commands,
            ["Messaging:Url"] = (broker ?? Servers.RabbitMq).ToString(),
            ["Messaging:Exchange"] = exchange,
            ["Outbox:LeaderRetry"] = "00:00:00.100",
            // A message whose confirm is late would be published twice; a test without a broker shortens it.
            ["Outbox:ConfirmTimeout"] = "00:01:00",
        });
        builder.Configuration.AddInMemoryCollection(
            settings.Select(setting => KeyValuePair.Create(setting.Name, (string?)setting.Value)));
        var warnings = new Warnings();
        builder.Logging.AddProvider(warnings);
        builder.Services.AddSingleton(TimeProvider.System);
        builder.Services.AddPersistence(database.Commands);
        builder.Services.AddOutbox();
        builder.Services.AddOutboxLeader(database.Commands);
        builder.Services.Configure<TelemetryOptions>(telemetry => telemetry.SampleSeconds = 0.1);
        var host = builder.Build();
        await host.StartAsync();
        return new OutboxProcess(host, warnings);
    }

    public Task<bool> LeadsAsync() => Task.FromResult(Status.IsLeader);

    public async ValueTask DisposeAsync()
    {
        await host.StopAsync();
        if (host is IAsyncDisposable disposable) await disposable.DisposeAsync();
    }

    private sealed class Warnings : ILoggerProvider, ILogger
    {
        public ConcurrentQueue<int> Ids { get; } = [];

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            if (IsEnabled(logLevel)) Ids.Enqueue(eventId.Id);
        }

        public void Dispose()
        {
        }
    }
}
