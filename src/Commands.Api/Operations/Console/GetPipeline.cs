using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>
/// GET /admin/pipeline: the state of the pipeline from the outbox to the documents, its delay, the hit ratios of the
/// caches, and the readiness of every process with its dependencies. A part that does not respond within two seconds is
/// `unavailable`; the other parts are still reported.
/// </summary>
internal static class GetPipeline
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/pipeline", Handle).WithName(nameof(GetPipeline));

    private static async Task<Ok<PipelineStatus>> Handle(
        HttpRequest request, PipelineStatusReader pipeline, CancellationToken ct) =>
        TypedResults.Ok(await pipeline.ReadAsync(request.Headers.Authorization, ct));
}
