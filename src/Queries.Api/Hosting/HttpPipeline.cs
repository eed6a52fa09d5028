using ApexShop.Errors;
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

    private static Problem ProblemOf(HttpContext http)
    {
        var refusal = Refusal.Of(http.Response.StatusCode);
        return new(http.Response.StatusCode, refusal.Code, refusal.Detail);
    }
}
