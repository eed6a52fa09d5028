using ApexShop.Commands.Api.Admin;
using ApexShop.Operations;

namespace ApexShop.Commands.Api.Parking;

/// <summary>POST /admin/parked/{resource}/{id}/replay: applies the parked events of one aggregate in their order, up to the first that is refused again; a dry run tells what that would do and changes nothing.</summary>
internal static class ReplayParked
{
    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/parked/{resource}/{id:int}/replay", Handle)
        .WithName(nameof(ReplayParked))
        .Produces<ParkedReplay>();

    private static Task Handle(HttpContext http, ProjectorGateway projector, string resource, int id, bool dryRun = false) =>
        projector.ForwardAsync(http);
}
