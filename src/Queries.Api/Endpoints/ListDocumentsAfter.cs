using ApexShop.Caching;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// GET /R/cursor: the page after or before a position in the list; as fast at its end as at its beginning.
/// </summary>
internal sealed class ListDocumentsAfter(
    ReadModel resource, Cursors cursors, ResponseCache cache, PagePlaces places)
{
    private static readonly string[] positions = ["after", "before", "afterId"];

    private readonly string listKey = $"{resource.Name}/cursor";

    public CachedResponse? FindCached(HttpContext http) =>
        AcceptedMediaTypes.AcceptsJson(http.Request) ? cache.Find(listKey, http.Request.QueryString.Value) : null;

    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        if (!AcceptedMediaTypes.AcceptsJson(http.Request)) return Problem.NotAcceptable(AcceptedMediaTypes.Json);
        var query = new QueryParameters(http.Request.Query);
        var page = PageFrom(query, http.Request.Query);
        if (query.Problem() is { } problem) return problem;

        var cached = CacheQueryOf(page, http.Request);
        var response = await places.ReadAsync(
            http, page, request => cache.GetAsync(cached, request, http.RequestAborted));
        if (response is null)
        {
            return page.AfterId is null
                ? Problem.CursorExpired()
                : query.ProblemWith("afterId", "is not the id of a document, so its position is unknown.");
        }

        await JsonResponse.WriteAsync(http, resource, response);
        return null;
    }

    private CursorPage PageFrom(QueryParameters query, IQueryCollection given)
    {
        var list = ListQuery.From(resource, query);
        var size = PageRequest.SizeFrom(query);
        var (cursor, isBackwards) = CursorFrom(query, list);
        var afterId = query.Number("afterId", least: 0);
        RefuseSecondPosition(query, given);
        if (afterId is not null && list.Sort.RequiredFilter is not null)
            query.Refuse("afterId", $"cannot be combined with the sort {list.Sort.Name}.");
        return new CursorPage(list, size, new PageLinks(resource.CursorPath, given), cursor, isBackwards, afterId)
        {
            Fields = FieldSelection.From(resource, query),
        };
    }

    private CacheQuery CacheQueryOf(CursorPage page, HttpRequest request)
    {
        // The position depends on the document, which need not be in the list.
        string[] tags = page.AfterId is { } id
            ? [.. page.List.Tags(), CacheTags.Document(resource.Name, id)]
            : page.List.Tags();
        return new CacheQuery(listKey + request.QueryString.Value, tags)
        {
            IsPublic = resource.Scope is null,
            IsCheap = page.List.IsShortScan,
            IsFresh = ConsistencyGate.HasToken(request),
        };
    }

    private (Cursor? Cursor, bool IsBackwards) CursorFrom(QueryParameters query, ListQuery list)
    {
        var (after, before) = (query.Text("after"), query.Text("before"));
        if ((after ?? before) is not { } token) return (null, false);
        if (cursors.Read(list, token) is { } cursor) return (cursor, after is null);
        var parameter = after is null ? "before" : "after";
        query.Refuse(parameter, "is not a cursor of this list with these filters and this sort.");
        return (null, false);
    }

    private static void RefuseSecondPosition(QueryParameters query, IQueryCollection given)
    {
        var named = positions.Where(given.ContainsKey).ToList();
        if (named.Count > 1) query.Refuse(named[0], $"cannot be combined with {string.Join(" or ", named.Skip(1))}.");
    }
}
