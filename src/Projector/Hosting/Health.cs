using ApexShop.Hosting;
using ApexShop.Projector.Batches;
using ApexShop.Projector.Caching;
using ApexShop.Projector.Rebuilding;
using ApexShop.Resources;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Npgsql;

namespace ApexShop.Projector.Hosting;

/// <summary>
/// Live while the process runs; ready while database and broker are there. Redis or the event log unavailable is reported
/// and leaves the Projector ready: it goes on without them.
/// </summary>
internal static class Health
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(2);

    public static void AddHealth(this IServiceCollection services) => services.AddHealthChecks()
        .AddAsyncCheck("postgres", HealthStatus.Unhealthy, async (NpgsqlDataSource database, CancellationToken ct) =>
        {
            await using var command = database.CreateCommand("SELECT epoch FROM read.projection_state");
            await command.ExecuteScalarAsync(ct);
        })
        .AddAsyncCheck("redis", HealthStatus.Degraded, (RedisConnection redis, CancellationToken ct) =>
            redis.PingAsync(ct))
        .AddAsyncCheck("eventLog", HealthStatus.Degraded, (EventLog log, CancellationToken ct) =>
            log.ReadAsync(Resource.Products.Name, long.MaxValue, 1, ct))
        .AddAsyncCheck("documentsOfThisLog", HealthStatus.Degraded, (RestoreWatch watch, CancellationToken _) =>
            watch.Break is { } reason ? throw new InvalidOperationException(reason) : Task.CompletedTask);

    // The bus adds a check of itself, which Messaging/Broker already asks.
    private static bool IsOurs(HealthCheckRegistration check) => !check.Tags.Contains("masstransit");

    public static void MapHealth(this WebApplication app) => app.MapProbes(IsOurs);

    private static IHealthChecksBuilder AddAsyncCheck<TService>(
        this IHealthChecksBuilder checks,
        string name,
        HealthStatus failure,
        Func<TService, CancellationToken, Task> check)
        where TService : class => checks.Add(new HealthCheckRegistration(
            name, provider => new Check(ct => check(provider.GetRequiredService<TService>(), ct)), failure, [], limit));

    // What a check throws, or its time limit, is turned into the registered failure by the framework.
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
