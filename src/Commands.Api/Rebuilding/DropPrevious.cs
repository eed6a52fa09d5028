using ApexShop.Commands.Api.Admin;

namespace ApexShop.Commands.Api.Rebuilding;

/// <summary>
/// DELETE /admin/projections/previous: drops the documents from before the last rebuild, which then cannot be rolled back.
/// </summary>
internal static class DropPrevious
{
    public static void Map(RouteGroupBuilder admin) => admin.MapDelete("/projections/previous", Handle)
        .WithName(nameof(DropPrevious))
        .Produces(StatusCodes.Status204NoContent)
        .ProducesProblem(StatusCodes.Status409Conflict);

    private static Task Handle(HttpContext http, ProjectorGateway projector) => projector.ForwardAsync(http);
}
