using ApexShop.Hosting;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace ApexShop.OpenApi;

/// <summary>Where an API describes itself, and the headers of the page over it.</summary>
public static class DocsPage
{
    public const string DocumentPath = "/openapi/v1.json";
    public const string Prefix = "docs";

    // The page is whole in this process: nothing is loaded from elsewhere, and what it asks goes to this API alone.
    private const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    public static bool ShowsDocs(this WebApplication app) => app.Services.GetRequiredService<IOptions<DocsOptions>>().Value.Enabled;

    /// <summary>Serves the page under its policy, unless it is switched off.</summary>
    public static void UseDocsPage(this WebApplication app, Action<IApplicationBuilder> page)
    {
        if (!app.ShowsDocs()) return;
        app.UseWhen(http => http.Request.Path.StartsWithSegments("/" + Prefix, StringComparison.OrdinalIgnoreCase), docs =>
        {
            docs.Use(Harden);
            page(docs);
        });
    }

    private static Task Harden(HttpContext http, RequestDelegate next)
    {
        PageHeaders.Harden(http.Response.Headers, Policy);
        return next(http);
    }
}
