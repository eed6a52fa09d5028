using ApexShop.Hosting;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace ApexShop.OpenApi;

/// <summary>The paths of the OpenAPI document and of the page that shows it, and the headers of the page.</summary>
public static class DocsPage
{
    public const string DocumentPath = "/openapi/v1.json";
    public const string Prefix = "docs";

    // The framework copies a file of the page, up to 1.6 MB, as a whole for each client that reads slowly.
    private const int MaxSent = 32;

    // The page loads nothing from other servers, and sends requests only to this API.
    private const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    public static bool ShowsDocs(this WebApplication app) =>
        app.Services.GetRequiredService<IOptions<DocsOptions>>().Value.Enabled;

    /// <summary>Serves the page with its Content-Security-Policy, unless it is switched off.</summary>
    public static void UseDocsPage(this WebApplication app, Action<IApplicationBuilder> page)
    {
        if (!app.ShowsDocs()) return;
        var places = new SemaphoreSlim(MaxSent);
        app.UseWhen(IsPage, docs =>
        {
            // The framework's page serves only GET, and ignores other methods.
            docs.UseHeadAsGet();
            docs.Use(Harden);
            docs.Use((http, next) => LimitAsync(places, http, next));
            page(docs);
        });
    }

    private static bool IsPage(HttpContext http) =>
        http.Request.Path.StartsWithSegments("/" + Prefix, StringComparison.OrdinalIgnoreCase);

    private static Task Harden(HttpContext http, RequestDelegate next)
    {
        WebPageHeaders.Harden(http.Response.Headers, Policy);
        if (HttpMethods.IsGet(http.Request.Method)) return next(http);
        http.Response.StatusCode = StatusCodes.Status405MethodNotAllowed;
        http.Response.Headers.Allow = HttpMethods.Get;
        return Task.CompletedTask;
    }

    private static async Task LimitAsync(SemaphoreSlim places, HttpContext http, RequestDelegate next)
    {
        if (!await places.WaitAsync(TimeSpan.Zero))
        {
            http.Response.StatusCode = StatusCodes.Status429TooManyRequests;
            http.Response.Headers.RetryAfter = "1";
            return;
        }

        try
        {
            await next(http);
        }
        finally
        {
            places.Release();
        }
    }
}
