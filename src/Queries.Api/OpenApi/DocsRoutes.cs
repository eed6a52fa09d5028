using ApexShop.OpenApi;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Endpoints;
using ApexShop.Queries.Api.Streaming;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>GET /openapi/v1.json, and the page at /docs that shows it; neither needs a key.</summary>
internal static class DocsRoutes
{
    public const string Name = "OpenApi";

    public static void MapDocs(this WebApplication app)
    {
        var streaming = app.Services.GetRequiredService<IOptions<StreamingOptions>>();
        // Made for the first request, so that it does not delay the start.
        var document = new Lazy<CachedResponse>(
            () => CachedResponse.Of(DocumentResponse.ToBytes(ApiDocument.Make(streaming.Value))));
        Task SendAsync(HttpContext http) =>
            JsonResponse.WriteAsync(http, document.Value, "no-cache", mayBeCompressed: true);
        if (app.ShowsDocs())
            app.MapMethods(DocsPage.DocumentPath, [HttpMethods.Get, HttpMethods.Head], SendAsync).WithName(Name);
    }

    public static void UseDocsPage(this WebApplication app) => app.UseDocsPage(docs => docs.UseSwaggerUI(page =>
    {
        page.RoutePrefix = DocsPage.Prefix;
        page.DocumentTitle = "ApexShop queries";
        page.SwaggerEndpoint(DocsPage.DocumentPath, "ApexShop queries");
        page.ConfigObject.DeepLinking = true;
        page.ConfigObject.DefaultModelsExpandDepth = 0;
        page.ConfigObject.DisplayRequestDuration = true;
    }));
}
