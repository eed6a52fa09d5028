using ApexShop.Commands.Api.Admin;
using ApexShop.Operations;

namespace ApexShop.Commands.Api.Parking;

/// <summary>GET /admin/dead-letters/{id}: one message that could not be read, with its body up to a mebibyte.</summary>
internal static class GetDeadLetter
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/dead-letters/{id:int}", Handle)
        .WithName(nameof(GetDeadLetter))
        .Produces<DeadLetter>();

    private static Task Handle(HttpContext http, ProjectorGateway projector, int id) => projector.ForwardAsync(http);
}
