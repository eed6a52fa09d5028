using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// GET /R/changes: the documents that were written or deleted after a cursor, as they are now, in the order of the
/// writes.
/// </summary>
internal sealed class ListChanges(ReadModel resource, Cursors cursors, ChangeReader changes)
{
    private readonly string path = $"/{resource.Name}/changes";

    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        if (!AcceptedMediaTypes.AcceptsJson(http.Request)) return Problem.NotAcceptable(AcceptedMediaTypes.Json);
        var query = new QueryParameters(http.Request.Query);
        var size = PageRequest.SizeFrom(query);
        var after = CursorFrom(query);
        if (query.Problem() is { } problem) return problem;

        var links = new PageLinks(path, http.Request.Query);
        var page = await changes.ReadAsync(after, size, links, http.RequestAborted);
        if (page.Body is null) return Problem.ChangesExpired(links.First());
        await JsonResponse.WriteAsync(http, resource, CachedResponse.Of(page.Body, page.Link));
        return null;
    }

    private Cursor? CursorFrom(QueryParameters query)
    {
        if (query.Text("after") is not { } token) return null;
        if (cursors.ReadChange(resource, token) is { } cursor) return cursor;
        query.Refuse("after", $"is not a cursor of {path}.");
        return null;
    }
}
