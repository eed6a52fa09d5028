using ApexShop.Projector.Intake;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>DELETE /admin/dead-letters/{id}: deletes one message that could not be read.</summary>
internal static class DiscardDeadLetter
{
    public static void Map(RouteGroupBuilder admin) => admin.MapDelete("/dead-letters/{id:int}", HandleAsync);

    private static async Task<Results<NoContent, ProblemHttpResult>> HandleAsync(
        int id, DeadLetters letters, ILogger<DeadLetters> logger, CancellationToken ct)
    {
        if (!await letters.DeleteAsync(id, ct)) return ParkingProblems.NoLetter(id);
        logger.DeadLetterDiscarded(id);
        return TypedResults.NoContent();
    }
}
