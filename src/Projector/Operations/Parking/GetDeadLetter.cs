using ApexShop.Operations;
using ApexShop.Projector.Intake;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>GET /admin/dead-letters/{id}: one message that could not be read, with its body.</summary>
internal static class GetDeadLetter
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/dead-letters/{id:int}", HandleAsync);

    private static async Task<Results<JsonHttpResult<DeadLetter>, ProblemHttpResult>> HandleAsync(
        int id, DeadLetters letters, CancellationToken ct) =>
        await letters.FindAsync(id, ct) is { } letter
            ? TypedResults.Json(letter, OperationsJson.Default.DeadLetter)
            : ParkingProblems.NoLetter(id);
}
