using ApexShop.Commands.Api.Admin;
using ApexShop.Operations;

namespace ApexShop.Commands.Api.Rebuilding;

/// <summary>
/// GET /admin/projections/rebuild: how far the rebuild is that runs, or what became of the last one, with its reason when
/// it failed.
/// </summary>
internal static class GetRebuild
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/projections/rebuild", Handle)
        .WithName(nameof(GetRebuild))
        .Produces<RebuildStatus>();

    private static Task Handle(HttpContext http, ProjectorGateway projector) => projector.ForwardAsync(http);
}
