using System.Data.Common;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace ApexShop.Hosting;

/// <summary>
/// Unhealthy without the server, and without the migrated schema. It has a connection of its own: a process whose
/// requests use all others is busy and not broken, and a balancer that removed it would only move the load.
/// </summary>
/// <param name="database">A pool of one connection; disposed of with the check.</param>
/// <param name="sql">Reads a table of the schema.</param>
public sealed class DatabaseCheck(DbDataSource database, string sql) : IHealthCheck, IAsyncDisposable
{
    /// <summary>The name of the session in pg_stat_activity.</summary>
    public const string Session = "apexshop health";

    /// <summary>
    /// The time for a connection, of several hosts for each: shorter than that of the check, so that a silent host does
    /// not hide the next one.
    /// </summary>
    public const int ConnectSeconds = 1;

    private static readonly TimeSpan timeout = TimeSpan.FromSeconds(2);

    // Longer: a wait that ended before the cancellation would leave the statement, and with it the only connection.
    private static readonly TimeSpan longestWait = timeout + TimeSpan.FromMilliseconds(500);

    public async Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        await ReadAsync(cancellationToken);
        return HealthCheckResult.Healthy();
    }

    /// <summary>Reads from the schema.</summary>
    /// <exception cref="DbException">The server or the table is not there.</exception>
    /// <exception cref="OperationCanceledException">The server did not respond within two seconds.</exception>
    /// <exception cref="TimeoutException">It did not respond to the cancellation either.</exception>
    public async Task ReadAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand(sql);
        using var limited = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limited.CancelAfter(timeout);
        // The wait has its own limit, because a server that does not respond does not respond to a cancellation.
        await command.ExecuteScalarAsync(limited.Token).WaitAsync(longestWait, ct);
    }

    public ValueTask DisposeAsync() => database.DisposeAsync();
}
