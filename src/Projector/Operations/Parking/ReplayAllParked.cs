using ApexShop.Operations;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>POST /admin/parked/replay: applies the parked events of many aggregates, each by itself.</summary>
internal static class ReplayAllParked
{
    /// <summary>The most aggregates of one request.</summary>
    private const int Most = 100;

    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/parked/replay", HandleAsync);

    private static async Task<Results<JsonHttpResult<ParkedReplays>, ProblemHttpResult>> HandleAsync(
        ParkedAggregates parked,
        ParkedReplayer replayer,
        CancellationToken ct,
        bool dryRun = false,
        string resource = "",
        string after = "",
        int limit = Most)
    {
        if (ParkingProblems.Filter(resource) is { } unknown) return unknown;
        if (ParkingProblems.Limit(limit, Most) is { } refused) return refused;
        if ((after.Length == 0 ? AggregateKey.First : AggregateKey.Parse(after)) is not { } start)
            return ParkingProblems.After();

        var found = await parked.ListAsync(resource, start, limit + 1, ct);
        var replays = new List<ParkedReplay>();
        foreach (var aggregate in found.Take(limit))
        {
            // Another request may have replayed it already.
            var replay = await replayer.ReplayAsync(new AggregateKey(aggregate.Resource, aggregate.Id), dryRun, ct);
            if (replay is not null) replays.Add(replay with { Events = null });
        }

        var next = found.Count > limit
            ? new AggregateKey(found[limit - 1].Resource, found[limit - 1].Id).ToString()
            : null;
        return TypedResults.Json(
            new ParkedReplays(dryRun, replays.Sum(one => one.Applied), replays.Sum(one => one.Left), replays, next),
            OperationsJson.Default.ParkedReplays);
    }
}
