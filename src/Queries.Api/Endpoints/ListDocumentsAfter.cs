using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /R/cursor: the page behind a cursor or an id; as fast at the end of the list as at its start.</summary>
internal sealed class ListDocumentsAfter(Resource resource, ReadModelReader documents)
{
    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        if (!AcceptedMedia.AcceptsJson(http.Request)) return Problem.NotAcceptable(AcceptedMedia.Json);
        var query = new QueryParameters(http.Request.Query);
        var size = PageRequest.SizeFrom(query);
        var afterId = query.Number("afterId", least: 0);
        var cursor = CursorFrom(query, afterId);
        if (query.Problem() is { } problem) return problem;

        using var page = PageEnvelope.Open();
        var after = cursor?.LastId ?? afterId ?? 0;
        var (epoch, slice) = await documents.PageAfterAsync(after, size, page, http.RequestAborted);
        if (cursor is { } given && given.Epoch != epoch) return Problem.CursorExpired();

        var next = slice.HasMore ? new Cursor(epoch, slice.LastId, resource.Name).ToString() : null;
        PageEnvelope.Close(page, size, slice, next);
        http.Response.Headers.CacheControl = resource.CacheControl;
        await JsonAnswer.WriteAsync(http, page);
        return null;
    }

    private Cursor? CursorFrom(QueryParameters query, int? afterId)
    {
        if (query.Text("after") is not { } token) return null;
        if (afterId is not null) query.Refuse("after", "cannot be combined with afterId.");
        else if (Cursor.TryParse(token, resource.Name, out var cursor)) return cursor;
        else query.Refuse("after", "is not a cursor of this list.");
        return null;
    }
}
