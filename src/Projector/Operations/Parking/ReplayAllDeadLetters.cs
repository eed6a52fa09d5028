using ApexShop.Operations;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>POST /admin/dead-letters/replay: reads and applies many messages again, each by itself.</summary>
internal static class ReplayAllDeadLetters
{
    /// <summary>The most messages of one request.</summary>
    private const int Most = 100;

    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/dead-letters/replay", HandleAsync);

    private static async Task<Results<JsonHttpResult<DeadLetterReplays>, ProblemHttpResult>> HandleAsync(
        DeadLetterReplayer replayer, CancellationToken ct, bool dryRun = false, int after = 0, int limit = Most)
    {
        if (ParkingProblems.Limit(limit, Most) is { } refused) return refused;
        var replays = new List<DeadLetterReplay>();
        while (replays.Count < limit
            && await replayer.ReplayNextAsync(replays.LastOrDefault()?.Id ?? after, dryRun, ct) is { } replay)
            replays.Add(replay);

        var applied = replays.Count(one => one.Outcome == DeadLetterReplay.Applied);
        int? next = replays.Count == limit ? replays[^1].Id : null;
        return TypedResults.Json(
            new DeadLetterReplays(
                dryRun, applied, replays.Count - applied, replays, next), OperationsJson.Default.DeadLetterReplays);
    }
}
