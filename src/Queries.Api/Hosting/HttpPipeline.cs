using ApexShop.Errors;
using ApexShop.Hosting;
using ApexShop.Queries.Api.Limits;
using ApexShop.Queries.Api.OpenApi;
using ApexShop.Queries.Api.Requests;
using ApexShop.Telemetry;
using Microsoft.AspNetCore.Authorization;

namespace ApexShop.Queries.Api.Hosting;

/// <summary>
/// What a request passes, in this order. Routing comes first of all and answers health probes itself: they cost no more
/// than that, whatever the rest is busy with.
/// </summary>
internal static class HttpPipeline
{
    public static void UseQueryPipeline(this WebApplication app)
    {
        app.UseGracefulShutdown();
        app.UseTelemetry();
        app.Use(app.Services.GetRequiredService<ExceptionMapping>().InvokeAsync);
        // Before everything that asks who is calling and how: behind a proxy only its headers tell.
        app.UseTransport();
        // Before anything that refuses: a page of another origin may read a refusal too, and a preflight has no key.
        // The framework's own step asks for its services before it sees that there is nothing to do.
        app.UseWhen(http => http.Request.Headers.Origin.Count > 0, crossing => crossing.UseCors());
        // Gives a body to the bare refusals of the steps after it.
        app.UseStatusCodePages(bare => ProblemOf(bare.HttpContext).WriteBodyAsync(bare.HttpContext));
        app.UseDocsPage();
        app.UseKeys();
        // After the key is known, since it decides whom the request counts for; before authorization, so that whoever
        // tries keys or paths at random is slowed down too.
        app.Use(app.Services.GetRequiredService<RequestRate>().InvokeAsync);
        app.UseScopes();
        // Last: a caller who may not read takes no stream's place.
        app.UseRateLimiter();
    }

    // Most callers of a catalogue have no key, and authentication costs more than answering from memory does. The two
    // properties keep the framework from putting both steps before all others by itself.
    private static void UseKeys(this WebApplication app)
    {
        var properties = ((IApplicationBuilder)app).Properties;
        properties["__AuthenticationMiddlewareSet"] = properties["__AuthorizationMiddlewareSet"] = true;
        app.UseWhen(http => http.Request.Headers.Authorization.Count > 0, keyed => keyed.UseAuthentication());
    }

    private static void UseScopes(this WebApplication app) => app.UseWhen(
        http => http.GetEndpoint()?.Metadata.GetMetadata<IAuthorizeData>() is not null,
        closed => closed.UseAuthorization());

    private static Problem ProblemOf(HttpContext http)
    {
        var refusal = ProblemText.Of(http.Response.StatusCode);
        return new(http.Response.StatusCode, refusal.Code, refusal.Detail);
    }
}
