using System.Security.Claims;
using ApexShop.Operations;
using ApexShop.Projector.Intake;
using ApexShop.Resources;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>GET /admin/dead-letters: messages that could not be read, by number, with the start of each.</summary>
internal static class ListDeadLetters
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/dead-letters", HandleAsync);

    private static async Task<Results<JsonHttpResult<DeadLetterList>, ProblemHttpResult>> HandleAsync(
        ClaimsPrincipal caller, DeadLetters letters, CancellationToken ct, int after = 0, int limit = 100)
    {
        if (ParkingProblems.Limit(limit) is { } refused) return refused;
        var found = await letters.ListAsync(after, limit + 1, ct);
        int? next = found.Count > limit ? found[limit - 1].Id : null;
        var page = found.Take(limit);
        // A key that may not read the bodies can still replay and discard them.
        if (ReadScopes.MissingTo(caller, Resource.All) is [_, ..])
            page = page.Select(letter => letter with { Excerpt = "" });
        return TypedResults.Json(new DeadLetterList([.. page], next), OperationsJson.Default.DeadLetterList);
    }
}
