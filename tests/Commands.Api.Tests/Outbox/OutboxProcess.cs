using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
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

    private OutboxProcess(IHost host) => this.host = host;

    public OutboxStatus Status => host.Services.GetRequiredService<OutboxStatus>();

    public T Get<T>() where T : notnull => host.Services.GetRequiredService<T>();

    public static async Task<OutboxProcess> StartAsync(LogDatabase database, string exchange, params (string Key, string Value)[] settings)
    {
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["ConnectionStrings:Shop"] = database.Commands,
            ["Messaging:Url"] = Servers.RabbitMq.ToString(),
            ["Messaging:Exchange"] = exchange,
            ["Outbox:LeaderRetry"] = "00:00:00.100",
        });
        builder.Configuration.AddInMemoryCollection(settings.ToDictionary(s => s.Key, s => (string?)s.Value));
        builder.Services.AddLogging(l => l.AddSimpleConsole());
        builder.Services.AddSingleton(TimeProvider.System);
        builder.Services.AddPersistence(database.Commands);
        builder.Services.AddOutbox(builder.Configuration);
        var host = builder.Build();
        await host.StartAsync();
        return new OutboxProcess(host);
    }

    public Task<bool> LeadsAsync() => Task.FromResult(Status.IsLeader);

    public async ValueTask DisposeAsync()
    {
        await host.StopAsync();
        if (host is IAsyncDisposable disposable) await disposable.DisposeAsync();
    }
}
