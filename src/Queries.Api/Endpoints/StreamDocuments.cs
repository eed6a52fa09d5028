using ApexShop.Queries.Api.Compression;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;
using ApexShop.Queries.Api.Streaming.Formats;
using ApexShop.Queries.Api.Streaming.Rows;
using ApexShop.Queries.Api.Streaming.Segments;
using Microsoft.Extensions.Primitives;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// GET /R/stream: all documents of a list, or the first <c>limit</c>, in the format that Accept names. Without a limit,
/// a list that has more documents than a stream may have does not end as a complete one.
/// </summary>
internal sealed class StreamDocuments(
    ReadModel resource, RowStream rows, SegmentStream segments, StreamingOptions options, StreamMetrics metrics)
{
    private static readonly StringValues acceptAndCoding = new(["Accept", "Accept-Encoding"]);

    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        using var open = metrics.Open();
        if (StreamFormat.Choose(http.Request) is not { } format) return Problem.NotAcceptable(StreamFormat.Offers);
        var query = new QueryParameters(http.Request.Query);
        var list = ListQuery.From(resource, query);
        var limit = query.Number("limit", least: 1, most: options.MaxDocuments);
        if (query.Problem() is { } problem) return problem;

        var headers = http.Response.Headers;
        headers.ContentType = format.MediaType;
        headers.CacheControl = resource.Scope is null ? "no-store" : resource.CacheControl;
        headers.Vary = resource.Scope is null ? acceptAndCoding : "Accept";
        // Documents that need a scope are not compressed, nor are their pages.
        var coding = resource.Scope is null
            ? ContentCoding.Choose(http.Request.Headers.AcceptEncoding)
            : ContentCoding.Identity;
        if (coding == ContentCoding.Identity) await SendAsync(http, format, coding, list, limit);
        else await SendCompressedAsync(http, format, coding, list, limit);
        return null;
    }

    private async Task SendCompressedAsync(
        HttpContext http, StreamFormat format, ContentCoding coding, ListQuery list, int? limit)
    {
        var ct = http.RequestAborted;
        if (limit is null && await segments.TrySendCompressedAsync(
            http.Response, format, coding, list, options.MaxDocuments, ct)) return;
        await using var compressed = new CompressedBody(http.Response, coding);
        await SendAsync(http, format, coding, list, limit);
        // A body that failed gets no end mark, so its reader detects that it is incomplete.
        await compressed.CompleteAsync();
    }

    // Kestrel omits the body of a response to HEAD; rows are not read for it.
    private async Task SendAsync(
        HttpContext http, StreamFormat format, ContentCoding coding, ListQuery list, int? limit)
    {
        var (response, ct, most) = (http.Response, http.RequestAborted, limit ?? options.MaxDocuments);
        if (await segments.TrySendAsync(response, format, coding, list, most, isAll: limit is null, ct)) return;
        if (HttpMethods.IsHead(http.Request.Method)) return;
        await rows.SendAsync(response, format, list, new StreamProgress(ScanStart.Beginning), limit, ct);
    }
}
