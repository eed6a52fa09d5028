using ApexShop.Commands.Api.Admin;
using ApexShop.Operations;

namespace ApexShop.Commands.Api.Parking;

/// <summary>POST /admin/parked/replay: replays the parked events of up to 100 aggregates, each by itself.</summary>
internal static class ReplayAllParked
{
    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/parked/replay", Handle)
        .WithName(nameof(ReplayAllParked))
        .Produces<ParkedReplays>();

    private static Task Handle(HttpContext http, ProjectorGateway projector, bool dryRun = false, string resource = "", string after = "", int limit = 100) =>
        projector.ForwardAsync(http);
}
