using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /R/v2 and, deprecated, GET /R: a page by its number, with totals.</summary>
internal sealed class ListDocumentsV2(
    Resource resource, ListReader documents, DocumentCounts counts, DeprecatedVersion? version = null)
{
    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        if (!AcceptedMedia.AcceptsJson(http.Request)) return Problem.NotAcceptable(AcceptedMedia.Json);
        var query = new QueryParameters(http.Request.Query);
        var list = ListQuery.From(resource, query);
        var request = PageRequest.From(query);
        if (query.Problem() is { } problem) return problem;

        var numbers = new NumberedPage(request, await counts.CountAsync(list, http.RequestAborted));
        using var page = PageEnvelope.Open();
        var slice = numbers.IsBehindTheEnd
            ? default
            : await documents.NumberedAsync(list, request, page, http.RequestAborted);
        PageEnvelope.Close(page, numbers, slice, isFirstVersion: version is not null);
        if (numbers.HasNext) PageLinks.AddPage(http, "next", request.Number + 1L);
        if (numbers.HasPrevious) PageLinks.AddPage(http, "prev", Math.Clamp(numbers.Pages, 1, request.Number - 1));
        version?.Announce(http);
        http.Response.Headers.CacheControl = resource.CacheControl;
        await JsonAnswer.WriteAsync(http, page);
        return null;
    }
}
