using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Names the broker. Commands do without it for a while, so its absence never makes a process unready.</summary>
internal sealed class BrokerCheck(OutboxStatus status) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(status.Broker == BrokerState.Unavailable ? HealthCheckResult.Degraded() : HealthCheckResult.Healthy());
}
