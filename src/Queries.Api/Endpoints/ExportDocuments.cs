using System.Globalization;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /R/export/ndjson: a list as a file of lines; one that broke off goes on behind its last whole line.</summary>
internal sealed class ExportDocuments(Resource resource, DocumentStream stream, ExportRate rate, StreamingOptions options)
{
    public const string LimitHeader = "Export-Limit";

    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        if (!StreamFormat.AcceptsNdJson(http.Request)) return Problem.NotAcceptable(StreamFormat.NdJson);
        var query = new QueryParameters(http.Request.Query);
        var list = ListQuery.From(resource, query);
        var limit = query.Number("limit", least: 1, most: options.MaxExported) ?? options.MaxExported;
        var place = new StreamPlace(StartFrom(query, list));
        if (query.Problem() is { } problem) return problem;

        var isHead = HttpMethods.IsHead(http.Request.Method);
        if (!isHead && rate.Take(http) is { } refused) return refused;

        var headers = http.Response.Headers;
        headers.ContentType = StreamFormat.NdJson;
        headers.ContentDisposition = $"attachment; filename={resource.Name}.ndjson";
        headers.CacheControl = resource.Scope is null ? "no-store" : resource.CacheControl;
        headers[LimitHeader] = limit.ToString(CultureInfo.InvariantCulture);
        if (isHead) return null;

        http.Features.Set(place);
        await stream.SendAsync(http.Response, new NdJsonWriter(), list, place, limit, http.RequestAborted);
        return null;
    }

    private static Start StartFrom(QueryParameters query, ListQuery list)
    {
        if (query.Number("after", least: 0) is not { } id) return Start.Beginning;
        if (list.Sort == Sort.Id) return Start.After(new Position(null, id, IsInside: false));

        // The document may be gone by now, and with it its place in any other order.
        query.Refuse("after", $"resumes an export in the order of ids only, this one is in that of {list.Sort.Name}; ask with sort=id.");
        return Start.Beginning;
    }
}
