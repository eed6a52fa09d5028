using ApexShop.OpenApi;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Events.AsyncApi;

/// <summary>
/// GET /asyncapi.json; needs no key. Docs:Enabled switches it off together with the OpenAPI document.
/// </summary>
internal static class AsyncApiRoutes
{
    public const string Name = "AsyncApi";

    public static void MapAsyncApi(this IEndpointRouteBuilder app) =>
        app.MapGet("/asyncapi.json", Serve).WithName(Name).ExcludeFromDescription();

    private static IResult Serve(AsyncApiDocument document, IOptions<DocsOptions> docs) =>
        docs.Value.Enabled ? document.Serve() : TypedResults.NotFound();
}
