using ApexShop.Commands.Api.Admin;
using ApexShop.Operations;

namespace ApexShop.Commands.Api.Parking;

/// <summary>DELETE /admin/parked/{resource}/{id}: gives the parked events of one aggregate up. The document stays as it is, later events apply to it again, and the answer says what is lost.</summary>
internal static class DiscardParked
{
    public static void Map(RouteGroupBuilder admin) => admin.MapDelete("/parked/{resource}/{id:int}", Handle)
        .WithName(nameof(DiscardParked))
        .Produces<ParkedDiscard>();

    private static Task Handle(HttpContext http, ProjectorGateway projector, string resource, int id) =>
        projector.ForwardAsync(http);
}
