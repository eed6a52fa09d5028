using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /R/facets: how many documents of a list have each category, price range, rating and stock.</summary>
internal sealed class ListFacets(ReadModel resource, ResponseCache cache, PagePlaces places)
{
    private readonly string listKey = $"{resource.Name}/facets";

    public CachedResponse? FindCached(HttpContext http) =>
        AcceptedMediaTypes.AcceptsJson(http.Request) ? cache.Find(listKey, http.Request.QueryString.Value) : null;

    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        if (!AcceptedMediaTypes.AcceptsJson(http.Request)) return Problem.NotAcceptable(AcceptedMediaTypes.Json);
        var query = new QueryParameters(http.Request.Query);
        var list = ListQuery.Unsorted(resource, query);
        if (query.Problem() is { } problem) return problem;

        var cached = new CacheQuery(listKey + http.Request.QueryString.Value, list.Tags())
        {
            IsPublic = resource.Scope is null,
            IsFresh = ConsistencyGate.HasToken(http.Request),
        };
        var page = new FacetPage(list);
        var response = await places.ReadAsync(
            http, page, request => cache.GetAsync(cached, request, http.RequestAborted));
        await JsonResponse.WriteAsync(http, resource, response!);
        return null;
    }
}
