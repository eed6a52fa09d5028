using ApexShop.OpenApi;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>GET /openapi/v1.json, and the page at /docs that shows it; neither needs a key.</summary>
internal static class DocsRoutes
{
    public const string Name = "OpenApi";

    public static void MapDocs(this IEndpointRouteBuilder app) =>
        app.MapGet(DocsPage.DocumentPath, ServeAsync).WithName(Name).ExcludeFromDescription();

    public static void UseDocsPage(this WebApplication app) => app.UseDocsPage(docs => docs.UseSwaggerUI(page =>
    {
        page.RoutePrefix = DocsPage.Prefix;
        page.DocumentTitle = "ApexShop commands";
        page.SwaggerEndpoint(DocsPage.DocumentPath, "ApexShop commands");
        page.ConfigObject.DeepLinking = true;
        page.ConfigObject.DefaultModelsExpandDepth = 0;
        page.ConfigObject.DisplayRequestDuration = true;
    }));

    private static async Task<IResult> ServeAsync(
        ApiDocument document, IOptions<DocsOptions> docs, CancellationToken ct) =>
        docs.Value.Enabled ? await document.ServeAsync(ct) : TypedResults.NotFound();
}
