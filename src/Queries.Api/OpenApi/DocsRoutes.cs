using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Endpoints;
using ApexShop.Queries.Api.Streaming;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>GET /openapi/v1.json and the page over it at /docs: for everybody, without a key.</summary>
internal static class DocsRoutes
{
    public const string Name = "OpenApi";
    public const string Path = "/openapi/v1.json";

    // The page is whole in this process: nothing is loaded from elsewhere, and what it asks goes to this API alone.
    private const string PagePolicy =
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    public static void MapDocs(this WebApplication app)
    {
        var streaming = app.Services.GetRequiredService<IOptions<StreamingOptions>>();
        // Made when first asked for: a process that nobody asks starts without it.
        var document = new Lazy<Answer>(() => Answer.Of(ApiDocument.ToJson(streaming.Value)));
        Task AnswerAsync(HttpContext http) => JsonAnswer.WriteAsync(http, document.Value, "no-cache", mayBeCoded: true);
        if (IsOn(app)) app.MapMethods(Path, [HttpMethods.Get, HttpMethods.Head], AnswerAsync).WithName(Name);
    }

    public static void UseDocsPage(this WebApplication app)
    {
        if (!IsOn(app)) return;
        app.UseWhen(http => http.Request.Path.StartsWithSegments("/docs", StringComparison.OrdinalIgnoreCase), docs =>
        {
            docs.Use(Harden);
            docs.UseSwaggerUI(page =>
            {
                page.RoutePrefix = "docs";
                page.DocumentTitle = "ApexShop queries";
                page.SwaggerEndpoint(Path, "ApexShop queries");
                page.ConfigObject.DeepLinking = true;
                page.ConfigObject.DefaultModelsExpandDepth = 0;
                page.ConfigObject.DisplayRequestDuration = true;
            });
        });
    }

    private static bool IsOn(WebApplication app) => app.Services.GetRequiredService<IOptions<DocsOptions>>().Value.Enabled;

    private static Task Harden(HttpContext http, RequestDelegate next)
    {
        var headers = http.Response.Headers;
        headers.ContentSecurityPolicy = PagePolicy;
        headers.XContentTypeOptions = "nosniff";
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
        return next(http);
    }
}
