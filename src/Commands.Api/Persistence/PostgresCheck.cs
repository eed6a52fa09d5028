using Microsoft.Extensions.Diagnostics.HealthChecks;
using Npgsql;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>
/// Unhealthy without the server, and without the migrated schema. It has a connection of its own: a process whose
/// commands use the whole pool is busy and not broken, and a balancer that removed it would only move the load.
/// </summary>
internal sealed class PostgresCheck(string connectionString) : IHealthCheck, IAsyncDisposable
{
    /// <summary>The name of the session in pg_stat_activity.</summary>
    public const string Name = "apexshop health";

    private static readonly TimeSpan timeout = TimeSpan.FromSeconds(2);

    private readonly NpgsqlDataSource database = new NpgsqlDataSourceBuilder(
        new NpgsqlConnectionStringBuilder(connectionString)
        {
            MinPoolSize = 0,
            MaxPoolSize = 1,
            ApplicationName = Name,
        }.ConnectionString) { Name = "health" }.Build();

    public async Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        await using var command = database.CreateCommand("SELECT position FROM shop.log_positions LIMIT 1");
        using var limited = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limited.CancelAfter(timeout);
        // The wait has its own limit, because a server that does not respond does not respond to a cancellation.
        await command.ExecuteScalarAsync(limited.Token).WaitAsync(timeout, cancellationToken);
        return HealthCheckResult.Healthy();
    }

    public ValueTask DisposeAsync() => database.DisposeAsync();
}
