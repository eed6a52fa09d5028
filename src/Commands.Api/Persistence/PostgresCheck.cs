using Microsoft.Extensions.Diagnostics.HealthChecks;
using Npgsql;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>Unhealthy without the server, and without the migrated schema.</summary>
internal sealed class PostgresCheck(NpgsqlDataSource database) : IHealthCheck
{
    private static readonly TimeSpan timeout = TimeSpan.FromSeconds(2);

    public async Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        await using var command = database.CreateCommand("SELECT position FROM shop.log_positions LIMIT 1");
        await command.ExecuteScalarAsync(cancellationToken).WaitAsync(timeout, cancellationToken);
        return HealthCheckResult.Healthy();
    }
}
