using System.IO.Pipelines;
using ApexShop.Consistency;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Compression;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>Sends a complete text, JSON or a page; for HEAD, Kestrel itself omits the body.</summary>
internal static class JsonResponse
{
    // Kestrel copies what is written. In parts, a long body is not copied as a whole for each slow reader.
    private const int LongestWrite = 64 * 1024;

    /// <summary>The response, or 304 when the client has it already.</summary>
    public static Task WriteAsync(HttpContext http, ReadModel resource, CachedResponse response) =>
        // Documents that need a scope are not compressed: the length of a compressed secret can reveal the secret.
        WriteAsync(http, response, resource.CacheControl, mayBeCompressed: resource.Scope is null);

    /// <summary>The same for the selected members of a document; null selects all.</summary>
    public static Task WriteAsync(
        HttpContext http, ReadModel resource, CachedResponse document, FieldSelection? fields) =>
        WriteAsync(
            http,
            resource,
            fields is null
                ? document
                : CachedResponse.Of(fields.OfDocument(document.Body.Span)) with { Shared = document.Shared });

    /// <summary>The same for a text that is not a document.</summary>
    public static Task WriteAsync(
        HttpContext http, CachedResponse response, string cacheControl, bool mayBeCompressed,
        string contentType = AcceptedMediaTypes.Json)
    {
        var headers = http.Response.Headers;
        var coding = mayBeCompressed ? CodingOf(http, response) : ContentCoding.Identity;
        var etag = coding.ETagOf(response.ETag);
        headers.ETag = etag;
        headers.CacheControl = cacheControl;
        if (response.Shared is { } shared) AllowSharedCaching(http, shared);
        if (response.Link is not null) headers.Append("Link", response.Link);
        if (EntityTags.IsKnown(http.Request, etag))
        {
            http.Response.StatusCode = StatusCodes.Status304NotModified;
            return Task.CompletedTask;
        }

        headers.ContentType = contentType;
        if (coding != ContentCoding.Identity) headers.ContentEncoding = coding.Name;
        if (response.Body.Length > LongestWrite) return WriteLongAsync(http, response, coding);
        var body = response.In(coding);
        headers.ContentLength = body.Length;
        // If the client disconnects, the flush ends by itself; the request's token would only cost time.
        var sent = http.Response.BodyWriter.WriteAsync(body, CancellationToken.None);
        return sent.IsCompletedSuccessfully ? Task.CompletedTask : sent.AsTask();
    }

    private static async Task WriteLongAsync(HttpContext http, CachedResponse response, ContentCoding coding)
    {
        using var unsent = http.RequestServices.GetRequiredService<UnsentResponses>().TryAdd(http, response);
        if (unsent is null)
        {
            await Problem.TooManyStreams("Too many long responses are being sent.").WriteAsync(http);
            return;
        }

        var body = response.In(coding);
        http.Response.ContentLength = body.Length;
        await WriteInPartsAsync(http.Response.BodyWriter, body);
    }

    private static async Task WriteInPartsAsync(PipeWriter writer, ReadOnlyMemory<byte> body)
    {
        for (var start = 0; start < body.Length; start += LongestWrite)
        {
            var part = body.Slice(start, Math.Min(LongestWrite, body.Length - start));
            if ((await writer.WriteAsync(part, CancellationToken.None)).IsCompleted) return;
        }
    }

    // A request with a token must reach this process: a shared cache cannot wait for its change.
    private static void AllowSharedCaching(HttpContext http, SharedCaching shared)
    {
        var headers = http.Response.Headers;
        headers.Append("Vary", ConsistencyToken.Header);
        // The CORS policy adds this only to a response for an origin that it allows.
        headers.Append("Vary", "Origin");
        if (ConsistencyGate.HasToken(http.Request) || !shared.IsAllowed()) return;
        headers.CacheControl = shared.CacheControl;
        headers["Surrogate-Key"] = shared.SurrogateKey;
    }

    private static ContentCoding CodingOf(HttpContext http, CachedResponse response)
    {
        if (response.Body.Length < ContentCoding.LeastBytes) return ContentCoding.Identity;
        http.Response.Headers.Vary = "Accept-Encoding";
        return ContentCoding.Choose(http.Request.Headers.AcceptEncoding);
    }
}
