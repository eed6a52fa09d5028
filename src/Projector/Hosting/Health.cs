using ApexShop.Hosting;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Operations.Rebuilding;
using ApexShop.Resources;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Npgsql;

namespace ApexShop.Projector.Hosting;

/// <summary>
/// Live while the process runs; ready while database and broker are available. An unavailable Redis or event log is
/// reported and leaves the Projector ready, which can work without them.
/// </summary>
internal static class Health
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(2);

    public static void AddHealth(this IServiceCollection services, string connectionString) => services
        .AddSingleton(_ => PostgresCheck(connectionString))
        .AddHealthChecks()
        .AddCheck<DatabaseCheck>("postgres")
        .AddAsyncCheck("redis", HealthStatus.Degraded, (RedisConnection redis, CancellationToken ct) =>
            redis.PingAsync(ct))
        .AddAsyncCheck("eventLog", HealthStatus.Degraded, (EventLogClient log, CancellationToken ct) =>
            log.ReadAsync(Resource.Products.Name, long.MaxValue, 1, ct))
        .AddAsyncCheck("documentsOfThisLog", HealthStatus.Degraded, (RestoreWatch watch, CancellationToken _) =>
            watch.Break is { } reason ? throw new InvalidOperationException(reason) : Task.CompletedTask);

    public static void MapHealth(this WebApplication app) => app.MapProbes();

    private static DatabaseCheck PostgresCheck(string connectionString)
    {
        var single = new NpgsqlConnectionStringBuilder(connectionString)
        {
            MinPoolSize = 0, MaxPoolSize = 1, ApplicationName = DatabaseCheck.Session,
            Timeout = DatabaseCheck.ConnectSeconds,
        };
        return new DatabaseCheck(
            new NpgsqlDataSourceBuilder(single.ConnectionString) { Name = "health" }.Build(),
            "SELECT epoch FROM read.projection_state");
    }

    private static IHealthChecksBuilder AddAsyncCheck<TService>(
        this IHealthChecksBuilder checks,
        string name,
        HealthStatus failure,
        Func<TService, CancellationToken, Task> check)
        where TService : class => checks.Add(new HealthCheckRegistration(
            name, provider => new Check(ct => check(provider.GetRequiredService<TService>(), ct)), failure, [], limit));

    // The framework turns an exception, or the time limit, into the registered failure.
    private sealed class Check(Func<CancellationToken, Task> check) : IHealthCheck
    {
        public async Task<HealthCheckResult> CheckHealthAsync(
            HealthCheckContext context, CancellationToken cancellationToken = default)
        {
            await check(cancellationToken);
            return HealthCheckResult.Healthy();
        }
    }
}
