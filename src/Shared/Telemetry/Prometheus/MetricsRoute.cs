using ApexShop.Access;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Telemetry.Prometheus;

/// <summary>GET /metrics. It needs a scope, because the metrics contain business numbers.</summary>
public static class MetricsRoute
{
    public const string Name = "GetMetrics";

    private static readonly string[] methods = [HttpMethods.Get, HttpMethods.Head];

    public static void MapMetrics(this IEndpointRouteBuilder app)
    {
        var page = app.ServiceProvider.GetRequiredService<MetricsPage>();
        app.MapMethods(MetricsPage.Path, methods, page.SendAsync).WithName(Name).RequireScope(Scopes.MetricsRead);
    }
}
