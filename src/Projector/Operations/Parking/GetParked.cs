using System.Security.Claims;
using ApexShop.Operations;
using ApexShop.Resources;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>GET /admin/parked/{resource}/{id}: the parked events of one aggregate, with their reasons.</summary>
internal static class GetParked
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/parked/{resource}/{id:int}", HandleAsync);

    private static async Task<Results<JsonHttpResult<ParkedEvents>, ProblemHttpResult>> HandleAsync(
        string resource, int id, ClaimsPrincipal caller, ParkedAggregates parked, CancellationToken ct,
        long after = 0, int limit = 100)
    {
        var aggregate = new AggregateKey(resource, id);
        if (ParkingProblems.Resource(resource) is { } unknown) return unknown;
        if (ParkingProblems.Closed(caller, Resource.Of(resource)) is { } closed) return closed;
        if (ParkingProblems.Limit(limit) is { } refused) return refused;
        var found = await parked.FindAsync(aggregate, after, limit + 1, ct);
        if (found.Count == 0 && after <= 0) return ParkingProblems.NotParked(aggregate);

        long? next = found.Count > limit ? found[limit - 1].Position : null;
        var version = await parked.VersionAsync(aggregate, ct);
        return TypedResults.Json(
            new ParkedEvents(resource, id, version, [.. found.Take(limit)], next), OperationsJson.Default.ParkedEvents);
    }
}
