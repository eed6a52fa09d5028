using ApexShop.Operations;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// GET /admin/projections/rebuild: the progress of the rebuild that is running, or the result of the last one.
/// </summary>
internal static class GetRebuild
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/projections/rebuild", HandleAsync);

    private static async Task<JsonHttpResult<RebuildStatus>> HandleAsync(RebuildRecord record, CancellationToken ct) =>
        TypedResults.Json(await record.ReadAsync(ct), OperationsJson.Default.RebuildStatus);
}
