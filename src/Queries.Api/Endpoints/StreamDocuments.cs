using ApexShop.Queries.Api.Compression;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;
using ApexShop.Queries.Api.Streaming.Formats;
using ApexShop.Queries.Api.Streaming.Rows;
using ApexShop.Queries.Api.Streaming.Segments;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// GET /R/stream: all documents of a list, or the first <c>limit</c>, in the format that Accept names.
/// </summary>
internal sealed class StreamDocuments(
    ReadModel resource, RowStream rows, SegmentStream segments, StreamingOptions options, StreamMetrics metrics)
{
    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        using var open = metrics.Open();
        // Documents that need a scope are not compressed, nor are their pages.
        await using var compressed = resource.Scope is null ? CompressedBody.For(http) : null;
        var problem = await SendAsync(http);
        // A body that failed gets no end mark, so its reader detects that it is incomplete.
        if (problem is null && compressed is not null) await compressed.CompleteAsync();
        return problem;
    }

    private async Task<Problem?> SendAsync(HttpContext http)
    {
        if (StreamFormat.Choose(http.Request) is not { } format) return Problem.NotAcceptable(StreamFormat.Offers);
        var query = new QueryParameters(http.Request.Query);
        var list = ListQuery.From(resource, query);
        var limit = query.Number("limit", least: 1, most: options.MaxDocuments) ?? options.MaxDocuments;
        if (query.Problem() is { } problem) return problem;

        var headers = http.Response.Headers;
        headers.ContentType = format.MediaType;
        headers.CacheControl = resource.Scope is null ? "no-store" : resource.CacheControl;
        headers.Vary = "Accept";
        if (HttpMethods.IsHead(http.Request.Method)) return null;

        var ct = http.RequestAborted;
        if (await segments.TrySendAsync(http.Response, format.Segments, list, limit, ct)) return null;
        await rows.SendAsync(http.Response, format, list, new StreamProgress(ScanStart.Beginning), limit, ct);
        return null;
    }
}
