using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Hosting;

/// <summary>What a request passes, in this order. Health probes are answered by routing, before all of it.</summary>
internal static class HttpPipeline
{
    public static void UseQueryPipeline(this WebApplication app)
    {
        app.Use(app.Services.GetRequiredService<ExceptionMapping>().InvokeAsync);
        // Before authentication: a challenge is a bare status that gets its body on the way back.
        app.UseStatusCodePages(bare => ProblemOf(bare.HttpContext).WriteBodyAsync(bare.HttpContext));
        app.UseAuthentication();
        app.UseAuthorization();
        // After authorization: a caller who may not read takes no stream's place.
        app.UseRateLimiter();
    }

    private static Problem ProblemOf(HttpContext http) => http.Response.StatusCode switch
    {
        401 => new(401, "access.key_required", "This needs Authorization: Bearer with a known API key."),
        403 => new(403, "access.scope_missing", "The API key does not have the scope for this."),
        404 => new(404, "path.unknown", "Nothing is served at this path."),
        405 => new(405, "method.not_allowed"),
        var status => new(status, "request.refused"),
    };
}
