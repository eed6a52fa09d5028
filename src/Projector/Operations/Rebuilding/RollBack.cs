using ApexShop.Operations;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>POST /admin/projections/rollback: switches to the tables before the last rebuild.</summary>
internal static class RollBack
{
    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/projections/rollback", HandleAsync);

    private static async Task<IResult> HandleAsync(
        PreviousTables previous, RebuildRecord record, CancellationToken ct, long epoch = 0) =>
        await previous.RollBackAsync(epoch == 0 ? null : epoch, ct) is { } refusal
            ? OperationProblems.ToHttp(refusal)
            : TypedResults.Json(await record.ReadAsync(ct), OperationsJson.Default.RebuildStatus);
}
