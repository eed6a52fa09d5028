using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using Microsoft.Extensions.Primitives;
using Microsoft.Net.Http.Headers;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>Sends a finished JSON text; Kestrel itself leaves the body out for HEAD.</summary>
internal static class JsonAnswer
{
    /// <summary>The answer, or 304 when the client has this very state of it.</summary>
    public static Task WriteAsync(HttpContext http, Resource resource, Answer answer)
    {
        var headers = http.Response.Headers;
        headers.ETag = answer.ETag;
        headers.CacheControl = resource.CacheControl;
        if (answer.Link is not null) headers.Append("Link", answer.Link);
        if (IsKnown(http.Request.Headers.IfNoneMatch, answer.ETag))
        {
            http.Response.StatusCode = StatusCodes.Status304NotModified;
            return Task.CompletedTask;
        }

        headers.ContentType = AcceptedMedia.Json;
        headers.ContentLength = answer.Body.Length;
        // A client that has gone ends the flush by itself; the request's token would only cost.
        var sent = http.Response.BodyWriter.WriteAsync(answer.Body, CancellationToken.None);
        return sent.IsCompletedSuccessfully ? Task.CompletedTask : sent.AsTask();
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
