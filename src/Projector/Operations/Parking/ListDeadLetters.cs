using ApexShop.Operations;
using ApexShop.Projector.Intake;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>GET /admin/dead-letters: messages that could not be read, by number, with the start of each.</summary>
internal static class ListDeadLetters
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/dead-letters", HandleAsync);

    private static async Task<Results<JsonHttpResult<DeadLetterList>, ProblemHttpResult>> HandleAsync(
        DeadLetters letters, CancellationToken ct, int after = 0, int limit = 100)
    {
        if (ParkingProblems.Limit(limit) is { } refused) return refused;
        var found = await letters.ListAsync(after, limit + 1, ct);
        int? next = found.Count > limit ? found[limit - 1].Id : null;
        return TypedResults.Json(
            new DeadLetterList([.. found.Take(limit)], next), OperationsJson.Default.DeadLetterList);
    }
}
