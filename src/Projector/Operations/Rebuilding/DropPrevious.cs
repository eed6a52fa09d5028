namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>DELETE /admin/projections/previous: drops the tables from before the last rebuild.</summary>
internal static class DropPrevious
{
    public static void Map(RouteGroupBuilder admin) => admin.MapDelete("/projections/previous", HandleAsync);

    private static async Task<IResult> HandleAsync(PreviousTables previous, CancellationToken ct) =>
        await previous.DropAsync(ct) is { } refusal ? OperationProblems.ToHttp(refusal) : TypedResults.NoContent();
}
