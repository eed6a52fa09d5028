using ApexShop.Access;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Telemetry.Prometheus;

/// <summary>GET /metrics, for whoever has a key with the scope for it: what a shop sells in an hour is not everybody's to know.</summary>
public static class MetricsRoute
{
    public const string Name = "GetMetrics";

    private static readonly string[] methods = [HttpMethods.Get, HttpMethods.Head];

    public static void MapMetrics(this IEndpointRouteBuilder app)
    {
        var page = app.ServiceProvider.GetRequiredService<MetricsPage>();
        app.MapMethods(MetricsPage.Path, methods, page.AnswerAsync).WithName(Name).RequireScope(Scopes.MetricsRead);
    }
}
