using ApexShop.Hosting;
using Microsoft.AspNetCore.Diagnostics.HealthChecks;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>GET /health/live and /health/ready: without a key, past the rest of the pipeline.</summary>
internal static class Health
{
    public const string Live = "HealthLive";
    public const string Ready = "HealthReady";

    public static void MapHealth(this IEndpointRouteBuilder app)
    {
        app.MapHealthChecks("/health/live", new HealthCheckOptions { Predicate = _ => false, ResponseWriter = HealthAnswer.LiveAsync }).WithName(Live).ShortCircuit();
        app.MapHealthChecks("/health/ready", new HealthCheckOptions { ResponseWriter = HealthAnswer.ReadyAsync }).WithName(Ready).ShortCircuit();
    }
}
