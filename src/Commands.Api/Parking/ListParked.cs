using ApexShop.Commands.Api.Admin;
using ApexShop.Operations;

namespace ApexShop.Commands.Api.Parking;

/// <summary>GET /admin/parked: the aggregates with events that could not be applied to their documents, by resource and id.</summary>
internal static class ListParked
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/parked", Handle)
        .WithName(nameof(ListParked))
        .Produces<ParkedList>();

    private static Task Handle(HttpContext http, ProjectorGateway projector, string resource = "", string after = "", int limit = 100) =>
        projector.ForwardAsync(http);
}
