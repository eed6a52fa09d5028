using ApexShop.Operations;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>GET /admin/parked: aggregates with parked events, by resource and id.</summary>
internal static class ListParked
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/parked", HandleAsync);

    private static async Task<Results<JsonHttpResult<ParkedList>, ProblemHttpResult>> HandleAsync(
        ParkedAggregates parked, CancellationToken ct, string resource = "", string after = "", int limit = 100)
    {
        if (ParkingProblems.Filter(resource) is { } unknown) return unknown;
        if (ParkingProblems.Limit(limit) is { } refused) return refused;
        if ((after.Length == 0 ? AggregateKey.First : AggregateKey.Parse(after)) is not { } start)
            return ParkingProblems.After();

        // One more than the page shows whether there is another page.
        var found = await parked.ListAsync(resource, start, limit + 1, ct);
        var next = found.Count > limit
            ? new AggregateKey(found[limit - 1].Resource, found[limit - 1].Id).ToString()
            : null;
        return TypedResults.Json(new ParkedList([.. found.Take(limit)], next), OperationsJson.Default.ParkedList);
    }
}
