using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /R/v2 and, deprecated, GET /R: a page by its number, with totals.</summary>
internal sealed class ListDocumentsV2(
    Resource resource, ListReader documents, DocumentCounts counts, AnswerCache cache, bool isFirstVersion = false)
{
    private readonly ListAnswers answers = new(resource, isFirstVersion ? "v1" : "v2", cache);

    public Answer? FindKept(HttpContext http) => answers.FindKept(http.Request);

    public Task<Problem?> HandleAsync(HttpContext http) => answers.AnswerAsync(http, Plan);

    private PagePlan Plan(HttpContext http)
    {
        var query = new QueryParameters(http.Request.Query);
        var list = ListQuery.From(resource, query);
        var request = PageRequest.From(query);
        if (query.Problem() is { } problem) return PagePlan.Refused(problem);

        var links = new PageLinks(http.Request);
        var isFresh = ConsistencyGate.IsAsked(http.Request);
        return new PagePlan(list, ct => ReadAsync(list, request, links, isFresh, ct));
    }

    private async Task<Answer?> ReadAsync(
        ListQuery list, PageRequest request, PageLinks links, bool isFresh, CancellationToken ct)
    {
        var numbers = new NumberedPage(request, await counts.CountAsync(list, isFresh, ct));
        using var page = PageEnvelope.Open();
        var slice = numbers.IsBehindTheEnd ? default : await documents.NumberedAsync(list, request, page, ct);
        PageEnvelope.Close(page, numbers, slice, isFirstVersion);
        if (numbers.HasNext) links.AddPage("next", request.Number + 1L);
        if (numbers.HasPrevious) links.AddPage("prev", Math.Clamp(numbers.Pages, 1, request.Number - 1));
        return Answer.Of(page.Written.ToArray(), links.Header);
    }
}
