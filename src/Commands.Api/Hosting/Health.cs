using Microsoft.AspNetCore.Diagnostics.HealthChecks;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>GET /health/live and /health/ready: without a key, past the rest of the pipeline.</summary>
internal static class Health
{
    public static void MapHealth(this IEndpointRouteBuilder app)
    {
        app.MapHealthChecks("/health/live", new HealthCheckOptions { Predicate = _ => false }).ShortCircuit();
        app.MapHealthChecks("/health/ready", new HealthCheckOptions { ResponseWriter = WriteAsync }).ShortCircuit();
    }

    // Degraded is a dependency that commands can do without, for a while: named, and no reason to be taken out of service.
    private static Task WriteAsync(HttpContext context, HealthReport report) => context.Response.WriteAsJsonAsync(
        new
        {
            Status = report.Status == HealthStatus.Unhealthy ? "not ready" : "ready",
            Checks = report.Entries.ToDictionary(check => check.Key, check => Word(check.Value.Status)),
        },
        context.RequestAborted);

    private static string Word(HealthStatus status) => status == HealthStatus.Healthy ? "ok" : "away";
}
