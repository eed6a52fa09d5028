using ApexShop.Operations;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>POST /admin/dead-letters/{id}/replay: reads and applies one message again.</summary>
internal static class ReplayDeadLetter
{
    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/dead-letters/{id:int}/replay", HandleAsync);

    private static async Task<Results<JsonHttpResult<DeadLetterReplay>, ProblemHttpResult>> HandleAsync(
        int id, DeadLetterReplayer replayer, CancellationToken ct, bool dryRun = false) =>
        await replayer.ReplayAsync(id, dryRun, ct) is { } replay
            ? TypedResults.Json(replay, OperationsJson.Default.DeadLetterReplay)
            : ParkingProblems.NoLetter(id);
}
