using ApexShop.Commands.Api.Admin;
using ApexShop.Operations;

namespace ApexShop.Commands.Api.Parking;

/// <summary>POST /admin/dead-letters/{id}/replay: reads and applies one message again; one that still cannot be read stays. A dry run tells what would happen and changes nothing.</summary>
internal static class ReplayDeadLetter
{
    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/dead-letters/{id:int}/replay", Handle)
        .WithName(nameof(ReplayDeadLetter))
        .Produces<DeadLetterReplay>();

    private static Task Handle(HttpContext http, ProjectorGateway projector, int id, bool dryRun = false) =>
        projector.ForwardAsync(http);
}
