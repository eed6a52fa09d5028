namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>
/// GET /admin/pipeline: how far the events are on their way from the outbox to the documents, how long that takes, and how
/// the caches do. A part that does not answer within two seconds is `unavailable`, the rest is told.
/// </summary>
internal static class GetPipeline
{
    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/pipeline", Handle).WithName(nameof(GetPipeline));

    private static async Task<Microsoft.AspNetCore.Http.HttpResults.Ok<PipelineStatus>> Handle(
        HttpRequest request, HttpResponse response, PipelineReading pipeline, CancellationToken ct)
    {
        response.Headers.CacheControl = "no-store";
        return TypedResults.Ok(await pipeline.ReadAsync(request.Headers.Authorization, ct));
    }
}
