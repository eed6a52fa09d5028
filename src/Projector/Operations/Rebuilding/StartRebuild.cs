using ApexShop.Errors;
using ApexShop.Operations;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>POST /admin/projections/rebuild: begins to create all documents again from the event log.</summary>
internal static class StartRebuild
{
    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/projections/rebuild", HandleAsync);

    private static async Task<IResult> HandleAsync(Rebuilder rebuilder, CancellationToken ct)
    {
        if (await rebuilder.BeginAsync("An operator started it.", null, ct) is not { } status)
            return OperationProblems.ToHttp(
                new ProblemText("rebuild.running", "A rebuild or a schema migration is running; wait for its end."));
        return TypedResults.Json(
            status, OperationsJson.Default.RebuildStatus, statusCode: StatusCodes.Status202Accepted);
    }
}
