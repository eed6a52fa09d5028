using ApexShop.Telemetry.Prometheus;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>GET /metrics: the metrics of this process since its start, in the text format of Prometheus.</summary>
internal static class GetMetrics
{
    public static void Map(RouteGroupBuilder shop) => shop.MapGet(MetricsPage.Path, Handle)
        .WithName(nameof(GetMetrics)).WithTags("health").Produces<string>(StatusCodes.Status200OK, "text/plain");

    private static Task Handle(HttpContext http, MetricsPage page) => page.SendAsync(http);
}
