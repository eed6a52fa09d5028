using ApexShop.Access;
using ApexShop.Consistency;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Limits;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;
using ApexShop.Queries.Api.Streaming.Rows;
using ApexShop.Queries.Api.Streaming.Segments;
using ApexShop.Resources;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// Maps the queries of all resources. The resources differ only in their data, so each query is one class, which is
/// mapped once for each resource.
/// </summary>
internal static class ResourceRoutes
{
    private static readonly string[] methods = [HttpMethods.Get, HttpMethods.Head];

    public static void MapResources(this WebApplication app)
    {
        var services = app.Services;
        var pages = DelegatesFor(services, services.GetRequiredService<ReadDatabase>().Pages);
        var streams = DelegatesFor(services, services.GetRequiredService<StreamDatabase>().Starts);
        var documents = new Dictionary<string, DocumentCache>();
        var lists = new Dictionary<string, ListDocumentsAfter>();
        foreach (var (index, resource) in ReadModel.All.Index())
        {
            var scopeOfPages = resource.Owner is null ? resource.Scope : Scopes.OrCustomer(resource.Scope!);
            var open = Group(app, resource, scopeOfPages);
            documents[resource.Name] = MapDocuments(open, pages, services, resource, index);
            lists[resource.Name] = MapPages(open, pages, services, resource);
            var group = Group(app, resource, resource.Scope);
            if (resource.HasSlugs) MapSlugs(group, pages, services, resource);
            MapChanges(group, pages, services, resource);
            MapStreams(group, streams, services, resource);
        }

        ExportUser.Map(app, streams, documents[Resource.Users.Name]);
        var (products, reviews) = (Resource.Products.Name, ReadModel.Of(Resource.Reviews));
        var (list, shared) = (lists[reviews.Name], services.GetRequiredService<SharedCachingRules>());
        var ofProduct = new ListReviewsOfProduct(documents[products], shared, list.FindCached, list.HandleAsync);
        Map(app.MapGroup(products), "{id:int}/reviews", ofProduct.MakeDelegate(reviews, pages), "ListProductReviews");
        var suggest = ActivatorUtilities.CreateInstance<SuggestSearches>(services);
        Map(app.MapGroup(products), "suggest", pages.Timed(suggest.HandleAsync), "SuggestProductSearches");
    }

    private static DocumentCache MapDocuments(
        RouteGroupBuilder group, QueryDelegates query, IServiceProvider services, ReadModel resource, int index)
    {
        var database = services.GetRequiredService<ReadDatabase>();
        var documents = ActivatorUtilities.CreateInstance<DocumentCache>(
            services, resource, index, new DocumentReader(resource, database.Pages));
        var one = new GetDocument(resource, documents);
        // An id that is not an integer names no document: 404 as for every unknown path, not 400.
        var name = $"Get{resource.CapitalizedSingular}";
        Map(group, "{id:int}", query.Cached(resource, one.FindCached, one.HandleAsync), name);

        var byId = new ListDocumentsById(resource, documents);
        var several = $"List{resource.CapitalizedName}ById";
        Map(group, "batch", query.Cached(resource, _ => null, byId.HandleAsync), several);
        return documents;
    }

    private static ListDocumentsAfter MapPages(
        RouteGroupBuilder group, QueryDelegates query, IServiceProvider services, ReadModel resource)
    {
        var all = resource.CapitalizedName;
        var v1 = ActivatorUtilities.CreateInstance<ListDocumentsV2>(services, resource, true);
        var first = DeprecatedVersion.First(resource.Name);
        var numbered = first.AddHeaders(query.Cached(resource, v1.FindCached, v1.HandleAsync));
        Map(group, "", OwnDocuments.ListOf(resource, numbered), $"List{all}V1");
        var v2 = ActivatorUtilities.CreateInstance<ListDocumentsV2>(services, resource, false);
        var totals = query.Cached(resource, v2.FindCached, v2.HandleAsync);
        Map(group, "v2", OwnDocuments.ListOf(resource, totals), $"List{all}V2");
        var facets = ActivatorUtilities.CreateInstance<ListFacets>(services, resource);
        var counts = query.Cached(resource, facets.FindCached, facets.HandleAsync);
        if (resource.Facets.Count > 0) Map(group, "facets", counts, $"List{resource.CapitalizedSingular}Facets");

        var after = ActivatorUtilities.CreateInstance<ListDocumentsAfter>(services, resource);
        var next = query.Cached(resource, after.FindCached, after.HandleAsync);
        Map(group, "cursor", OwnDocuments.ListOf(resource, next), $"List{all}After");
        return after;
    }

    private static void MapSlugs(
        RouteGroupBuilder group, QueryDelegates query, IServiceProvider services, ReadModel resource)
    {
        var one = new GetDocumentBySlug(resource, SlugCache.Of(resource, services));
        var name = $"Get{resource.CapitalizedSingular}BySlug";
        Map(group, "by-slug/{slug}", query.Cached(resource, one.FindCached, one.HandleAsync), name);
    }

    private static void MapChanges(
        RouteGroupBuilder group, QueryDelegates query, IServiceProvider services, ReadModel resource)
    {
        var cursors = services.GetRequiredService<Cursors>();
        var reader = new ChangeReader(resource, services.GetRequiredService<ReadDatabase>(), cursors);
        var changes = new ListChanges(resource, cursors, reader);
        var name = $"List{resource.CapitalizedSingular}Changes";
        Map(group, "changes", query.Cached(resource, _ => null, changes.HandleAsync), name);
    }

    private static void MapStreams(
        RouteGroupBuilder group, QueryDelegates query, IServiceProvider services, ReadModel resource)
    {
        var places = services.GetRequiredService<StreamPlaces>();
        var rows = services.GetRequiredService<RowStream>();
        var metrics = services.GetRequiredService<StreamMetrics>();
        var options = services.GetRequiredService<IOptions<StreamingOptions>>().Value;
        var all = resource.CapitalizedName;
        var segments = services.GetRequiredService<SegmentStream>();
        var stream = new StreamDocuments(resource, rows, segments, options, metrics);
        Map(group, "stream", places.Limit(query.WithoutTimeLimit(stream.HandleAsync)), $"Stream{all}");
        var export = ActivatorUtilities.CreateInstance<ExportDocuments>(services, resource, options);
        Map(group, "export/ndjson", places.Limit(query.WithoutTimeLimit(export.HandleAsync)), $"Export{all}");
    }

    internal static QueryDelegates DelegatesFor(IServiceProvider services, NpgsqlDataSource source)
    {
        var gate = new ConsistencyGate(
            new VersionReader(source),
            services.GetRequiredService<ConsistencyTokens>(),
            services.GetRequiredService<IOptions<ConsistencyOptions>>(),
            services.GetRequiredService<IOptions<ReadingOptions>>(),
            services.GetRequiredService<TimeProvider>(),
            services.GetRequiredService<WaitMetrics>());
        return new QueryDelegates(
            gate, services.GetRequiredService<RequestTimeLimit>(), services.GetRequiredService<PauseCheck>());
    }

    private static RouteGroupBuilder Group(WebApplication app, ReadModel resource, string? scope)
    {
        var group = app.MapGroup(resource.Name);
        if (scope is not null) group.RequireScope(scope);
        return group;
    }

    private static IEndpointConventionBuilder Map(
        RouteGroupBuilder group, string pattern, RequestDelegate query, string name) =>
        group.MapMethods(pattern, methods, query).WithName(name);
}
