using ApexShop.Operations;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>DELETE /admin/parked/{resource}/{id}: deletes the parked events of one aggregate.</summary>
internal static class DiscardParked
{
    public static void Map(RouteGroupBuilder admin) => admin.MapDelete("/parked/{resource}/{id:int}", HandleAsync);

    private static async Task<Results<JsonHttpResult<ParkedDiscard>, ProblemHttpResult>> HandleAsync(
        string resource, int id, ParkedAggregates parked, CancellationToken ct)
    {
        var aggregate = new AggregateKey(resource, id);
        if (ParkingProblems.Resource(resource) is { } unknown) return unknown;
        return await parked.DiscardAsync(aggregate, ct) is { } discard
            ? TypedResults.Json(discard, OperationsJson.Default.ParkedDiscard)
            : ParkingProblems.NotParked(aggregate);
    }
}
