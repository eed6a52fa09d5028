using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace ApexShop.Hosting;

/// <summary>Whether a process can serve requests, and the state of each dependency.</summary>
public sealed record Readiness(bool IsReady, IReadOnlyList<(string Name, bool IsOk)> Checks);

/// <summary>
/// GET /health/live, /health/ready and /version, without a key and without the rest of the pipeline. The checks are
/// cached for one second, so that many probes cost a dependency no more than one; those of a process that is not ready
/// for a tenth of it, so that a process that has started is used at once.
/// </summary>
public static class Probes
{
    /// <summary>Operation id of GET /health/live.</summary>
    public const string Live = "HealthLive";

    /// <summary>Operation id of GET /health/ready.</summary>
    public const string Ready = "HealthReady";

    /// <summary>Operation id of GET /version.</summary>
    public const string Version = "GetVersion";

    private static readonly string[] methods = [HttpMethods.Get, HttpMethods.Head];

    private static readonly TimeSpan readyLifetime = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan notReadyLifetime = TimeSpan.FromMilliseconds(100);

    /// <summary>Whether a request is a probe; none is redirected to HTTPS.</summary>
    internal static bool IsProbe(HttpRequest request) =>
        request.Path.StartsWithSegments("/health") || request.Path.StartsWithSegments("/version");

    /// <summary>Ready by the framework's health checks.</summary>
    public static void MapProbes(this IEndpointRouteBuilder app)
    {
        var checks = app.ServiceProvider.GetRequiredService<HealthCheckService>();
        app.MapProbes(async ct =>
        {
            var report = await checks.CheckHealthAsync(ct);
            // Degraded: the process can do without this dependency for some time, so it stays in service.
            return new Readiness(
                report.Status != HealthStatus.Unhealthy,
                [.. report.Entries.Select(entry => (entry.Key, entry.Value.Status == HealthStatus.Healthy))]);
        });
    }

    /// <summary>Ready by a check of the process itself.</summary>
    public static void MapProbes(this IEndpointRouteBuilder app, Func<CancellationToken, Task<Readiness>> check)
    {
        var clock = app.ServiceProvider.GetRequiredService<TimeProvider>();
        var readiness = new ShortLivedCache<Readiness>(
            check, found => found.IsReady ? readyLifetime : notReadyLifetime, clock);
        app.MapMethods("/health/live", methods, HealthResponse.LiveAsync).WithName(Live).ShortCircuit();
        app.MapMethods("/health/ready", methods, ReadyAsync).WithName(Ready).ShortCircuit();
        app.MapMethods("/version", methods, HealthResponse.VersionAsync).WithName(Version).ShortCircuit();

        async Task ReadyAsync(HttpContext http) =>
            await HealthResponse.ReadyAsync(http, await readiness.GetAsync().WaitAsync(http.RequestAborted));
    }
}
