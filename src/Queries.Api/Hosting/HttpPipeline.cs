using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Hosting;

/// <summary>What every request passes, in this order. Health probes are answered by routing, before all of it.</summary>
internal static class HttpPipeline
{
    public static void UseQueryPipeline(this WebApplication app)
    {
        app.Use(app.Services.GetRequiredService<ExceptionMapping>().InvokeAsync);
        // Before authentication: a challenge is a bare status that gets its body on the way back.
        app.UseStatusCodePages(context => ProblemOf(context.HttpContext.Response.StatusCode).WriteBodyAsync(context.HttpContext));
        app.UseAuthentication();
        app.UseAuthorization();
        // After authorization: a caller who may not read takes no stream's place.
        app.UseRateLimiter();
    }

    private static Problem ProblemOf(int status) => status switch
    {
        StatusCodes.Status401Unauthorized => new(status, "access.key_required", "A known API key is needed: Authorization: Bearer <key>."),
        StatusCodes.Status403Forbidden => new(status, "access.scope_missing", "The API key lacks the scope that this resource needs."),
        StatusCodes.Status404NotFound => new(status, "path.unknown", "Nothing is served at this path."),
        StatusCodes.Status405MethodNotAllowed => new(status, "method.not_allowed"),
        _ => new(status, "request.refused"),
    };
}
