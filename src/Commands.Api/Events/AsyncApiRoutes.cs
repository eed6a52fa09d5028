using ApexShop.OpenApi;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Events;

/// <summary>GET /asyncapi.json: for everybody, without a key, where the page over the API is served too.</summary>
internal static class AsyncApiRoutes
{
    public const string Name = "AsyncApi";

    public static void MapAsyncApi(this IEndpointRouteBuilder app) =>
        app.MapGet("/asyncapi.json", Serve).WithName(Name).ExcludeFromDescription();

    private static IResult Serve(AsyncApiDocument document, IOptions<DocsOptions> docs) =>
        docs.Value.Enabled ? document.Serve() : TypedResults.NotFound();
}
