using ApexShop.Operations;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>POST /admin/parked/{resource}/{id}/heal: writes one document again from its last event.</summary>
internal static class HealAggregate
{
    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/parked/{resource}/{id:int}/heal", HandleAsync);

    private static async Task<Results<JsonHttpResult<AggregateHeal>, ProblemHttpResult>> HandleAsync(
        string resource, int id, AggregateHealer healer, CancellationToken ct)
    {
        if (ParkingProblems.Resource(resource) is { } unknown) return unknown;
        var healed = await healer.HealAsync(resource, [id], ct);
        return TypedResults.Json(healed[0], OperationsJson.Default.AggregateHeal);
    }
}
