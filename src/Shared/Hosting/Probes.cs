using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace ApexShop.Hosting;

/// <summary>Whether a process can work, and of each thing it depends on whether that is there.</summary>
public sealed record Readiness(bool IsReady, IReadOnlyList<(string Name, bool IsOk)> Checks);

/// <summary>
/// GET /health/live and /health/ready: without a key, past the rest of the pipeline. What was found holds for a second,
/// so that a thousand probes cost each dependency no more than one.
/// </summary>
public static class Probes
{
    /// <summary>Name of GET /health/live.</summary>
    public const string Live = "HealthLive";

    /// <summary>Name of GET /health/ready.</summary>
    public const string Ready = "HealthReady";

    private static readonly TimeSpan holds = TimeSpan.FromSeconds(1);

    /// <summary>By the framework's health checks, as far as <paramref name="counts"/> says so.</summary>
    public static void MapProbes(this IEndpointRouteBuilder app, Func<HealthCheckRegistration, bool>? counts = null)
    {
        var checks = app.ServiceProvider.GetRequiredService<HealthCheckService>();
        app.MapProbes(async ct =>
        {
            var report = await checks.CheckHealthAsync(counts, ct);
            // Degraded is what the process can do without for a while: named, and no reason to be taken out of service.
            return new Readiness(
                report.Status != HealthStatus.Unhealthy,
                [.. report.Entries.Select(entry => (entry.Key, entry.Value.Status == HealthStatus.Healthy))]);
        });
    }

    /// <summary>By a question of the process's own.</summary>
    public static void MapProbes(this IEndpointRouteBuilder app, Func<CancellationToken, Task<Readiness>> ask)
    {
        var clock = app.ServiceProvider.GetRequiredService<TimeProvider>();
        var found = new ShortLivedCache<Readiness>(ask, holds, clock);
        app.MapGet("/health/live", HealthResponse.LiveAsync).WithName(Live).ShortCircuit();
        app.MapGet("/health/ready", ReadyAsync).WithName(Ready).ShortCircuit();

        async Task ReadyAsync(HttpContext http) =>
            await HealthResponse.ReadyAsync(http, await found.GetAsync().WaitAsync(http.RequestAborted));
    }
}
