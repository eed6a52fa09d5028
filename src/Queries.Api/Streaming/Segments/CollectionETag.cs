using ApexShop.Queries.Api.Compression;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming.Formats;

namespace ApexShop.Queries.Api.Streaming.Segments;

/// <summary>The ETag of a whole collection, or of its first documents, in one format and coding.</summary>
internal static class CollectionETag
{
    /// <summary>
    /// Sets the headers. True if the client has these bytes already: the response is 304 and complete.
    /// </summary>
    public static bool TrySetNotModified(
        HttpResponse response, ReadModel resource, SegmentSet set, StreamFormat format, ContentCoding coding, int limit,
        bool isWeak = false)
    {
        var etag = coding.ETagOf(FormattableString.Invariant($"\"{set.Hash}.{limit}.{format.Extension}\""));
        response.Headers.ETag = isWeak ? $"W/{etag}" : etag;
        response.Headers.CacheControl = resource.CacheControl;
        if (!EntityTags.IsKnown(response.HttpContext.Request, etag)) return false;
        response.StatusCode = StatusCodes.Status304NotModified;
        response.ContentType = null;
        return true;
    }
}
