using System.Net.Sockets;
using MassTransit;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using RabbitMQ.Client;

namespace ApexShop.Projector.Intake;

/// <summary>
/// Whether the broker is there. Between failed attempts to connect the bus waits longer and longer, up to half a
/// minute; held until the broker's port answers, an attempt does not fail, and the queue is consumed again soon after
/// the broker is back. The bus does not notice an outage that it is held through, hence a health check of our own.
/// </summary>
internal sealed class Broker(IOptions<MessagingOptions> options, IHostApplicationLifetime host, IBusControl bus)
    : IHealthCheck
{
    private static readonly TimeSpan interval = TimeSpan.FromMilliseconds(500);

    private volatile bool unavailable;

    public async Task AnswersAsync()
    {
        while (!await ReachAsync(host.ApplicationStopping)) await Task.Delay(interval, host.ApplicationStopping);
    }

    public Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(!unavailable && bus.CheckHealth().Status == BusHealthStatus.Healthy
            ? HealthCheckResult.Healthy()
            : HealthCheckResult.Unhealthy());

    private async Task<bool> ReachAsync(CancellationToken ct)
    {
        var url = options.Value.Url;
        using var probe = new TcpClient();
        try
        {
            await probe.ConnectAsync(url.Host, url.Port > 0 ? url.Port : Protocols.DefaultProtocol.DefaultPort, ct);
            unavailable = false;
        }
        catch (SocketException)
        {
            unavailable = true;
        }

        return !unavailable;
    }
}
