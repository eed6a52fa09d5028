using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /R/v2: a page by its number, with totals.</summary>
internal sealed class ListDocumentsV2(Resource resource, ReadModelReader documents)
{
    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        if (!AcceptedMedia.AcceptsJson(http.Request)) return Problem.NotAcceptable(AcceptedMedia.Json);
        var query = new QueryParameters(http.Request.Query);
        var request = PageRequest.From(query);
        if (query.Problem() is { } problem) return problem;

        using var page = PageEnvelope.Open();
        var (total, slice) = await documents.PageAsync(request, page, http.RequestAborted);
        PageEnvelope.Close(page, request, total, slice);
        http.Response.Headers.CacheControl = resource.CacheControl;
        await JsonAnswer.WriteAsync(http, page);
        return null;
    }
}
