using Microsoft.Extensions.Diagnostics.HealthChecks;
using Npgsql;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>A schema that was not migrated is as little ready as a server that is down.</summary>
internal sealed class PostgresCheck(NpgsqlDataSource database) : IHealthCheck
{
    private static readonly TimeSpan patience = TimeSpan.FromSeconds(2);

    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        await using var command = database.CreateCommand("SELECT position FROM shop.log_positions LIMIT 1");
        await command.ExecuteScalarAsync(cancellationToken).WaitAsync(patience, cancellationToken);
        return HealthCheckResult.Healthy();
    }
}
