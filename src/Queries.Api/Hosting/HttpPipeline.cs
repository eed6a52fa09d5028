using ApexShop.Errors;
using ApexShop.Hosting;
using ApexShop.Queries.Api.Limits;
using ApexShop.Queries.Api.OpenApi;
using ApexShop.Queries.Api.Requests;
using ApexShop.Telemetry;
using Microsoft.AspNetCore.Authorization;

namespace ApexShop.Queries.Api.Hosting;

/// <summary>
/// The middleware, in this order. Routing comes before it and answers health probes itself: they depend on nothing else
/// and cost nothing more.
/// </summary>
internal static class HttpPipeline
{
    public static void UseQueryPipeline(this WebApplication app)
    {
        app.UseGracefulShutdown();
        app.UseNosniff();
        app.UseShortHeaders();
        app.UseTelemetry();
        app.Use(app.Services.GetRequiredService<ExceptionMapping>().InvokeAsync);
        // Before everything that uses the client's address or scheme: behind a proxy only its headers contain them.
        app.UseTransport();
        app.UseCrossOrigin();
        // Adds a body to error responses of the later middleware.
        app.UseStatusCodePages(bare => ProblemOf(bare.HttpContext).WriteBodyAsync(bare.HttpContext));
        app.UseAllowedMethods();
        app.UseKeys();
        // After authentication, since rates are per key; before authorization, so that a client that tries random keys
        // or paths is limited too.
        app.Use(app.Services.GetRequiredService<RequestRateLimit>().InvokeAsync);
        app.UseDocsPage();
        app.UseScopes();
    }

    // Most callers of a catalogue have no key, and authentication costs more than a response from memory. The two
    // properties prevent the framework from adding both middlewares at the front by itself.
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
