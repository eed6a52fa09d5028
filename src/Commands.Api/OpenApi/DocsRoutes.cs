using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>GET /openapi/v1.json and the page over it at /docs: for everybody, without a key.</summary>
internal static class DocsRoutes
{
    public const string Name = "OpenApi";

    private const string DocumentPath = "/openapi/v1.json";

    // The page is whole in this process: nothing is loaded from elsewhere, and what it asks goes to this API alone.
    private const string PagePolicy =
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    public static void MapDocs(this IEndpointRouteBuilder app) =>
        app.MapGet(DocumentPath, ServeAsync).WithName(Name).ExcludeFromDescription();

    public static void UseDocsPage(this WebApplication app)
    {
        if (!app.Services.GetRequiredService<IOptions<DocsOptions>>().Value.Enabled) return;
        app.UseWhen(http => http.Request.Path.StartsWithSegments("/docs", StringComparison.OrdinalIgnoreCase), docs =>
        {
            docs.Use(Harden);
            docs.UseSwaggerUI(page =>
            {
                page.RoutePrefix = "docs";
                page.DocumentTitle = "ApexShop commands";
                page.SwaggerEndpoint(DocumentPath, "ApexShop commands");
                page.ConfigObject.DeepLinking = true;
                page.ConfigObject.DefaultModelsExpandDepth = 0;
                page.ConfigObject.DisplayRequestDuration = true;
            });
        });
    }

    private static async Task<IResult> ServeAsync(ApiDocument document, IOptions<DocsOptions> docs, CancellationToken ct) =>
        docs.Value.Enabled ? await document.ServeAsync(ct) : TypedResults.NotFound();

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
