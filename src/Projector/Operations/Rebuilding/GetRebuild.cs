using ApexShop.Operations;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>GET /admin/projections/rebuild: the progress of the current rebuild, or the last result.</summary>
internal static class GetRebuild
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/projections/rebuild", HandleAsync);

    private static async Task<JsonHttpResult<RebuildStatus>> HandleAsync(RebuildRecord record, CancellationToken ct) =>
        TypedResults.Json(await record.ReadAsync(ct), OperationsJson.Default.RebuildStatus);
}
