using ApexShop.Errors;
using ApexShop.Operations;
using ApexShop.Projector.Rebuilding;

namespace ApexShop.Projector.Admin;

/// <summary>POST /admin/projections/rebuild: makes all documents anew from the event log, beside those in use.</summary>
internal static class StartRebuild
{
    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/projections/rebuild", HandleAsync);

    private static async Task<IResult> HandleAsync(Rebuilder rebuilder, CancellationToken ct)
    {
        if (await rebuilder.BeginAsync("An operator asked for it.", null, ct) is not { } status)
            return Refused.ToHttp(new ProblemText("rebuild.running", "A rebuild runs, or the schema is migrated; wait for its end."));
        return TypedResults.Json(status, OperationsJson.Default.RebuildStatus, statusCode: StatusCodes.Status202Accepted);
    }
}
