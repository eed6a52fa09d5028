using System.Globalization;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;
using ApexShop.Queries.Api.Streaming.Formats;
using ApexShop.Queries.Api.Streaming.Rows;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// GET /R/export/ndjson: a list as a file of lines; an export that failed can continue after its last line.
/// </summary>
internal sealed class ExportDocuments(
    ReadModel resource, RowStream rows, ExportRateLimit rate, StreamingOptions options, StreamMetrics metrics)
{
    public const string LimitHeader = "Export-Limit";

    private static readonly StreamFormat format = StreamFormat.NdJson;

    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        using var open = metrics.Open();
        if (!format.IsAcceptedBy(http.Request)) return Problem.NotAcceptable(format.MediaType);
        var query = new QueryParameters(http.Request.Query);
        var list = ListQuery.From(resource, query);
        var limit = query.Number("limit", least: 1, most: options.MaxExported) ?? options.MaxExported;
        var progress = new StreamProgress(StartFrom(query, list));
        if (query.Problem() is { } problem) return problem;

        var isHead = HttpMethods.IsHead(http.Request.Method);
        if (!isHead && rate.Take(http) is { } refused) return refused;

        var headers = http.Response.Headers;
        headers.ContentType = format.MediaType;
        headers.ContentDisposition = $"attachment; filename={resource.Name}.{format.Extension}";
        headers.CacheControl = resource.Scope is null ? "no-store" : resource.CacheControl;
        headers[LimitHeader] = limit.ToString(CultureInfo.InvariantCulture);
        if (isHead) return null;

        http.Features.Set(progress);
        await rows.SendAsync(http.Response, format, list, progress, limit, http.RequestAborted);
        return null;
    }

    private static ScanStart StartFrom(QueryParameters query, ListQuery list)
    {
        if (query.Number("after", least: 0) is not { } id) return ScanStart.Beginning;
        if (list.Sort == Sort.Id) return ScanStart.After(new KeysetPosition(null, id, IsInList: false));

        // The document may be deleted by now, and then its position in any other order is unknown.
        query.Refuse(
            "after",
            $"continues an export only in the order of ids, and this order is {list.Sort.Name}; use sort=id.");
        return ScanStart.Beginning;
    }
}
