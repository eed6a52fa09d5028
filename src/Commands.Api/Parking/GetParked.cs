using ApexShop.Commands.Api.Admin;
using ApexShop.Operations;

namespace ApexShop.Commands.Api.Parking;

/// <summary>GET /admin/parked/{resource}/{id}: the parked events of one aggregate in their order, each with its reason.</summary>
internal static class GetParked
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/parked/{resource}/{id:int}", Handle)
        .WithName(nameof(GetParked))
        .Produces<ParkedEvents>();

    private static Task Handle(HttpContext http, ProjectorGateway projector, string resource, int id, long after = 0, int limit = 100) =>
        projector.ForwardAsync(http);
}
