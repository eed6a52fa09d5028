using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /R/cursor: the page behind or before a place in the list; as fast at its end as at its beginning.</summary>
internal sealed class ListDocumentsAfter(
    Resource resource, ListReader documents, PageReads pages, Cursors cursors, AnswerCache cache)
{
    private static readonly string[] places = ["after", "before", "afterId"];

    private readonly ListAnswers answers = new(resource, "cursor", cache);

    public Answer? FindKept(HttpContext http) => answers.FindKept(http.Request);

    public Task<Problem?> HandleAsync(HttpContext http) => answers.AnswerAsync(http, Plan);

    private PagePlan Plan(HttpContext http)
    {
        var query = new QueryParameters(http.Request.Query);
        var list = ListQuery.From(resource, query);
        var size = PageRequest.SizeFrom(query);
        var (cursor, isBackwards) = CursorFrom(query, list);
        var afterId = query.Number("afterId", least: 0);
        RefuseSecondPlace(query, http.Request.Query);
        if (query.Problem() is { } problem) return PagePlan.Refused(problem);

        var links = new PageLinks(http.Request);
        return new PagePlan(list, ct => ReadAsync(list, cursor, isBackwards, afterId, size, links, ct))
        {
            DependsOn = afterId,
            Otherwise = () => afterId is null
                ? Problem.CursorExpired()
                : query.Refused("afterId", "is not the id of a document, whose place could be known."),
        };
    }

    private async Task<Answer?> ReadAsync(
        ListQuery list, Cursor? cursor, bool isBackwards, int? afterId, int size, PageLinks links, CancellationToken ct)
    {
        var at = afterId is { } id ? await documents.PositionOfAsync(list, id, ct) : cursor?.At;
        if (afterId is not null && at is null) return null;

        var start = new Start(at, isBackwards);
        using var read = await pages.ReadAsync(list, start, size, ct);
        var (epoch, slice, page) = read;
        cache.Saw(epoch);
        if (cursor is { } given && given.Epoch != epoch) return null;

        var (next, previous) = Neighbours(list, start, slice, epoch);
        PageEnvelope.Close(page, size, slice, next, previous);
        links.Add("next", "after", next);
        links.Add("prev", "before", previous);
        return Answer.Of(page.Written.ToArray(), links.Header);
    }

    // On the side a page was reached from there was a row; on the other one the row more that was read tells.
    private (string? Next, string? Previous) Neighbours(ListQuery list, Start start, Slice slice, long epoch)
    {
        if (slice.Count == 0) return (null, null);
        var (isAfter, isBefore) = start.IsBackwards ? (true, slice.HasMore) : (slice.HasMore, start.At is not null);
        return (
            isAfter ? cursors.Write(list, new Cursor(epoch, slice.Last)) : null,
            isBefore ? cursors.Write(list, new Cursor(epoch, slice.First)) : null);
    }

    private (Cursor? Cursor, bool IsBackwards) CursorFrom(QueryParameters query, ListQuery list)
    {
        var (after, before) = (query.Text("after"), query.Text("before"));
        if ((after ?? before) is not { } token) return (null, false);
        if (cursors.Read(list, token) is { } cursor) return (cursor, after is null);
        query.Refuse(after is null ? "before" : "after", "is not a cursor of this list with these filters and this sort.");
        return (null, false);
    }

    private static void RefuseSecondPlace(QueryParameters query, IQueryCollection given)
    {
        var named = places.Where(given.ContainsKey).ToList();
        if (named.Count > 1) query.Refuse(named[0], $"cannot be combined with {string.Join(" or ", named.Skip(1))}.");
    }
}
