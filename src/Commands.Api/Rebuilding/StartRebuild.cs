using ApexShop.Commands.Api.Admin;
using ApexShop.Operations;

namespace ApexShop.Commands.Api.Rebuilding;

/// <summary>
/// POST /admin/projections/rebuild: begins to make all documents anew from the event log, beside those in use, and to
/// exchange them when they agree with it; Location leads to the progress.
/// </summary>
internal static class StartRebuild
{
    private const string Progress = "/admin/projections/rebuild";

    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/projections/rebuild", Handle)
        .WithName(nameof(StartRebuild))
        .Produces<RebuildStatus>(StatusCodes.Status202Accepted)
        .ProducesProblem(StatusCodes.Status409Conflict);

    private static Task Handle(HttpContext http, ProjectorGateway projector)
    {
        http.Response.OnStarting(() =>
        {
            if (http.Response.StatusCode == StatusCodes.Status202Accepted) http.Response.Headers.Location = Progress;
            return Task.CompletedTask;
        });
        return projector.ForwardAsync(http);
    }
}
