using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /R/stream: every document of a list, or the first <c>limit</c>, in the format that Accept asks for.</summary>
internal sealed class StreamDocuments(
    Resource resource, DocumentStream stream, SegmentStream segments, StreamingOptions options)
{
    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        if (StreamFormat.Choose(http.Request) is not { } mediaType) return Problem.NotAcceptable(StreamFormat.Offers);
        var query = new QueryParameters(http.Request.Query);
        var list = ListQuery.From(resource, query);
        var limit = query.Number("limit", least: 1, most: options.MaxDocuments) ?? options.MaxDocuments;
        if (query.Problem() is { } problem) return problem;

        var headers = http.Response.Headers;
        headers.ContentType = mediaType;
        headers.CacheControl = resource.Scope is null ? "no-store" : resource.CacheControl;
        headers.Vary = "Accept";
        if (HttpMethods.IsHead(http.Request.Method)) return null;

        var writer = StreamFormat.WriterOf(mediaType);
        if (await segments.TrySendAsync(http.Response, writer.Kept, list, limit, http.RequestAborted)) return null;
        await stream.SendAsync(http.Response, writer, list, new StreamPlace(Start.Beginning), limit, http.RequestAborted);
        return null;
    }
}
