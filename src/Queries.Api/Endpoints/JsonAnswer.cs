using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Compression;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using Microsoft.Extensions.Primitives;
using Microsoft.Net.Http.Headers;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>Sends a finished JSON text; Kestrel itself leaves the body out for HEAD.</summary>
internal static class JsonAnswer
{
    /// <summary>The answer, or 304 when the client has this very state of it.</summary>
    public static Task WriteAsync(HttpContext http, Resource resource, Answer answer) =>
        // Documents behind a scope stay plain: how well a secret packs with what somebody asked for tells about the secret.
        WriteAsync(http, answer, resource.CacheControl, mayBeCoded: resource.Scope is null);

    /// <summary>The same for what is no document.</summary>
    public static Task WriteAsync(HttpContext http, Answer answer, string cacheControl, bool mayBeCoded)
    {
        var headers = http.Response.Headers;
        var coding = mayBeCoded ? CodingOf(http, answer) : ContentCoding.Plain;
        var etag = coding.TagOf(answer.ETag);
        headers.ETag = etag;
        headers.CacheControl = cacheControl;
        if (answer.Link is not null) headers.Append("Link", answer.Link);
        if (IsKnown(http.Request.Headers.IfNoneMatch, etag))
        {
            http.Response.StatusCode = StatusCodes.Status304NotModified;
            return Task.CompletedTask;
        }

        headers.ContentType = AcceptedMedia.Json;
        if (coding != ContentCoding.Plain) headers.ContentEncoding = coding.Name;
        var body = answer.In(coding);
        headers.ContentLength = body.Length;
        // A client that has gone ends the flush by itself; the request's token would only cost.
        var sent = http.Response.BodyWriter.WriteAsync(body, CancellationToken.None);
        return sent.IsCompletedSuccessfully ? Task.CompletedTask : sent.AsTask();
    }

    private static ContentCoding CodingOf(HttpContext http, Answer answer)
    {
        if (answer.Body.Length < ContentCoding.LeastBytes) return ContentCoding.Plain;
        http.Response.Headers.Vary = "Accept-Encoding";
        return ContentCoding.Choose(http.Request.Headers.AcceptEncoding);
    }

    private static bool IsKnown(StringValues given, string etag)
    {
        if (given.Count == 0) return false;
        if (given is [{ } only] && only == etag) return true;
        if (!EntityTagHeaderValue.TryParseList(given, out var tags)) return false;
        var current = new EntityTagHeaderValue(etag);
        return tags.Contains(EntityTagHeaderValue.Any)
            || tags.Any(tag => tag.Compare(current, useStrongComparison: false));
    }
}
