using ApexShop.Commands.Api.Admin;
using ApexShop.Operations;

namespace ApexShop.Commands.Api.Rebuilding;

/// <summary>
/// POST /admin/projections/rollback: exchanges the documents with those before the last rebuild, at once; what has happened
/// since is applied to them from the event log.
/// </summary>
internal static class RollBackRebuild
{
    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/projections/rollback", Handle)
        .WithName(nameof(RollBackRebuild))
        .Produces<RebuildStatus>()
        .ProducesProblem(StatusCodes.Status409Conflict);

    private static Task Handle(HttpContext http, ProjectorGateway projector) => projector.ForwardAsync(http);
}
