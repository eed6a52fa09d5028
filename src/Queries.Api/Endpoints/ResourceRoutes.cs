using ApexShop.Access;
using ApexShop.Hosting;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Compression;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Limits;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;
using Microsoft.Extensions.Options;
using Npgsql;

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
        var services = app.Services;
        var database = services.GetRequiredService<ReadDatabase>();
        var lists = new ListReader(database.Pages, database.Searches);
        var pages = new PageReads(database.Pages, lists);
        var counts = services.GetRequiredService<DocumentCounts>();
        var cursors = services.GetRequiredService<Cursors>();
        var stream = new DocumentStream(
            new ChunkReader(database.Streams, database.StreamedSearches),
            services.GetRequiredService<IOptions<StreamingOptions>>().Value,
            services.GetRequiredService<GracefulShutdown>());
        var cache = services.GetRequiredService<AnswerCache>();
        var (answering, streaming) = (AnsweringFrom(services, database.Pages), AnsweringFrom(services, database.Streams));
        foreach (var (kind, resource) in Resource.All.Index())
        {
            var all = Capitalized(resource.Name);
            var group = app.MapGroup(resource.Name);
            if (resource.Scope is { } scope) group.RequireScope(scope);

            var one = new GetDocument(resource, Documents(services, resource, kind, database));
            // An id that is no integer names no document: 404 like every other unknown path, not 400.
            Map(group, "{id:int}", answering.Kept(resource, one.FindKept, one.HandleAsync), $"Get{Capitalized(resource.Singular)}");
            var v1 = new ListDocumentsV2(resource, lists, counts, cache, isFirstVersion: true);
            var first = DeprecatedVersion.First(resource.Name);
            Map(group, "", first.Announced(answering.Kept(resource, v1.FindKept, v1.HandleAsync)), $"List{all}V1");
            var v2 = new ListDocumentsV2(resource, lists, counts, cache);
            Map(group, "v2", answering.Kept(resource, v2.FindKept, v2.HandleAsync), $"List{all}V2");
            var after = new ListDocumentsAfter(resource, lists, pages, cursors, cache);
            Map(group, "cursor", answering.Kept(resource, after.FindKept, after.HandleAsync), $"List{all}After");
            MapStreams(services, group, resource, stream, streaming);
        }
    }

    private static Answering AnsweringFrom(IServiceProvider services, NpgsqlDataSource source)
    {
        var gate = new ConsistencyGate(
            source,
            services.GetRequiredService<IOptions<ConsistencyOptions>>(),
            services.GetRequiredService<TimeProvider>(),
            services.GetRequiredService<WaitMetrics>());
        return new Answering(gate, services.GetRequiredService<RequestLimit>());
    }

    private static void MapStreams(
        IServiceProvider services, RouteGroupBuilder group, Resource resource, DocumentStream stream, Answering answering)
    {
        var all = Capitalized(resource.Name);
        var streaming = services.GetRequiredService<IOptions<StreamingOptions>>().Value;
        var counted = services.GetRequiredService<StreamMetrics>();
        var streamed = new StreamDocuments(resource, stream, services.GetRequiredService<SegmentStream>(), streaming);
        Map(group, "stream", answering.Read(counted.Counted(Coded(resource, streamed.HandleAsync))), $"Stream{all}").RequireRateLimiting(StreamLimit);
        var exported = new ExportDocuments(resource, stream, services.GetRequiredService<ExportRate>(), streaming);
        Map(group, "export/ndjson", answering.Read(counted.Counted(exported.HandleAsync)), $"Export{all}").RequireRateLimiting(StreamLimit);
    }

    private static IEndpointConventionBuilder Map(RouteGroupBuilder group, string pattern, RequestDelegate answer, string name) =>
        group.MapMethods(pattern, methods, answer).WithName(name);

    // A stream of what only some may read stays plain, as their pages do.
    private static Func<HttpContext, Task<Problem?>> Coded(Resource resource, Func<HttpContext, Task<Problem?>> handle) =>
        resource.Scope is null ? new CompressedStream(handle).AnswerAsync : handle;

    private static DocumentCache Documents(IServiceProvider services, Resource resource, int kind, ReadDatabase database) =>
        ActivatorUtilities.CreateInstance<DocumentCache>(services, resource, kind, new DocumentReader(resource, database.Pages));

    private static string Capitalized(string word) => char.ToUpperInvariant(word[0]) + word[1..];
}
