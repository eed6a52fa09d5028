using ApexShop.Errors;
using ApexShop.Operations;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>POST /admin/projections/rebuild: begins to create all documents again from the event log.</summary>
internal static class StartRebuild
{
    private const int Attempts = 20;

    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(50);

    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/projections/rebuild", HandleAsync);

    private static async Task<IResult> HandleAsync(Rebuilder rebuilder, RebuildRecord record, CancellationToken ct)
    {
        if (await BeginAsync(rebuilder, record, ct) is not { } status)
            return OperationProblems.ToHttp(
                new ProblemText("rebuild.running", "A rebuild or a schema migration is running; wait for its end."));
        return TypedResults.Json(
            status, OperationsJson.Default.RebuildStatus, statusCode: StatusCodes.Status202Accepted);
    }

    // A rebuild stores its outcome before it releases its lock: a caller who has read the outcome must not be refused.
    private static async Task<RebuildStatus?> BeginAsync(
        Rebuilder rebuilder, RebuildRecord record, CancellationToken ct)
    {
        for (var left = Attempts; ; left--)
        {
            if (await rebuilder.BeginAsync("An operator started it.", null, ct) is { } status) return status;
            if (left == 0 || (await record.ReadAsync(ct)).State == RebuildState.Running) return null;
            await Task.Delay(pause, ct);
        }
    }
}
