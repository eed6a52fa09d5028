using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Reports the broker as degraded, never as unhealthy: commands work without it.</summary>
internal sealed class BrokerCheck(OutboxStatus status) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(status.Broker == BrokerState.Unavailable
            ? HealthCheckResult.Degraded()
            : HealthCheckResult.Healthy());
}
