using ApexShop.Commands.Api.Admin;

namespace ApexShop.Commands.Api.Parking;

/// <summary>DELETE /admin/dead-letters/{id}: gives up a message that could not be read. What the event log has of it is in the documents anyway.</summary>
internal static class DiscardDeadLetter
{
    public static void Map(RouteGroupBuilder admin) => admin.MapDelete("/dead-letters/{id:int}", Handle)
        .WithName(nameof(DiscardDeadLetter))
        .Produces(StatusCodes.Status204NoContent);

    private static Task Handle(HttpContext http, ProjectorGateway projector, int id) => projector.ForwardAsync(http);
}
