using ApexShop.Operations;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>POST /admin/parked/{resource}/{id}/replay: applies the parked events of one
/// aggregate in their order, or reports what a replay would do.</summary>
internal static class ReplayParked
{
    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/parked/{resource}/{id:int}/replay", HandleAsync);

    private static async Task<Results<JsonHttpResult<ParkedReplay>, ProblemHttpResult>> HandleAsync(
        string resource, int id, ParkedReplayer replayer, CancellationToken ct, bool dryRun = false)
    {
        var aggregate = new AggregateKey(resource, id);
        if (ParkingProblems.Resource(resource) is { } unknown) return unknown;
        return await replayer.ReplayAsync(aggregate, dryRun, ct) is { } replay
            ? TypedResults.Json(replay, OperationsJson.Default.ParkedReplay)
            : ParkingProblems.NotParked(aggregate);
    }
}
