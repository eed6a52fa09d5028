using System.Security.Claims;
using ApexShop.Operations;
using ApexShop.Projector.Intake;
using ApexShop.Resources;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>GET /admin/dead-letters/{id}: one message that could not be read, with its body.</summary>
internal static class GetDeadLetter
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/dead-letters/{id:int}", HandleAsync);

    private static async Task<Results<JsonHttpResult<DeadLetter>, ProblemHttpResult>> HandleAsync(
        int id, ClaimsPrincipal caller, DeadLetters letters, CancellationToken ct)
    {
        // What cannot be read may be an event of any resource.
        if (ParkingProblems.Closed(caller, Resource.All) is { } closed) return closed;
        return await letters.FindAsync(id, ct) is { } letter
            ? TypedResults.Json(letter, OperationsJson.Default.DeadLetter)
            : ParkingProblems.NoLetter(id);
    }
}
