using ApexShop.Access;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// Every query. The same questions are asked of each resource and differ in nothing but its name and its scope, so
/// each is written once and mapped five times; a file for each of the twenty would only let them drift apart.
/// </summary>
internal static class ResourceRoutes
{
    public const string StreamLimit = "streams";

    private static readonly string[] methods = [HttpMethods.Get, HttpMethods.Head];

    public static void MapResources(this WebApplication app)
    {
        var database = app.Services.GetRequiredService<ReadDatabase>();
        var lists = new ListReader(database.Pages, database.Searches);
        var counts = app.Services.GetRequiredService<DocumentCounts>();
        var cursors = app.Services.GetRequiredService<Cursors>();
        var streaming = app.Services.GetRequiredService<IOptions<StreamingOptions>>().Value;
        var stream = new DocumentStream(new ListReader(database.Streams, database.Streams), streaming);
        foreach (var resource in Resource.All)
        {
            var (all, one) = (Capitalized(resource.Name), Capitalized(resource.Singular));
            var group = app.MapGroup(resource.Name);
            if (resource.Scope is { } scope) group.RequireScope(scope);

            var documents = new ReadModelReader(resource, database.Pages);
            // An id that is no integer names no document: 404 like every other unknown path, not 400.
            Map(group, "{id:int}", new GetDocument(resource, documents).HandleAsync, $"Get{one}");
            var first = DeprecatedVersion.First(resource.Name);
            Map(group, "", new ListDocumentsV2(resource, lists, counts, first).HandleAsync, $"List{all}V1");
            Map(group, "v2", new ListDocumentsV2(resource, lists, counts).HandleAsync, $"List{all}V2");
            Map(group, "cursor", new ListDocumentsAfter(resource, lists, cursors).HandleAsync, $"List{all}After");
            Map(group, "stream", new StreamDocuments(resource, stream, streaming).HandleAsync, $"Stream{all}")
                .RequireRateLimiting(StreamLimit);
        }
    }

    // Handlers are request delegates: they read the query string themselves, strictly, and nothing has to be generated.
    private static IEndpointConventionBuilder Map(
        RouteGroupBuilder group, string pattern, Func<HttpContext, Task<Problem?>> handle, string name)
    {
        async Task AnswerAsync(HttpContext http)
        {
            if (await handle(http) is { } problem) await problem.WriteAsync(http);
        }

        return group.MapMethods(pattern, methods, AnswerAsync).WithName(name);
    }

    private static string Capitalized(string word) => char.ToUpperInvariant(word[0]) + word[1..];
}
