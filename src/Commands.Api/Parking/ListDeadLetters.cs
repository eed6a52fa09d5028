using ApexShop.Commands.Api.Admin;
using ApexShop.Operations;

namespace ApexShop.Commands.Api.Parking;

/// <summary>GET /admin/dead-letters: the messages that no Projector could read, by number, with the start of each.</summary>
internal static class ListDeadLetters
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/dead-letters", Handle)
        .WithName(nameof(ListDeadLetters))
        .Produces<DeadLetterList>();

    private static Task Handle(HttpContext http, ProjectorGateway projector, int after = 0, int limit = 100) =>
        projector.ForwardAsync(http);
}
