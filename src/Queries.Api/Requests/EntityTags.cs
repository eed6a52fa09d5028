using System.Buffers.Text;
using System.IO.Hashing;
using Microsoft.Net.Http.Headers;

namespace ApexShop.Queries.Api.Requests;

/// <summary>ETags, and If-None-Match (RFC 9110, section 13.1.2).</summary>
internal static class EntityTags
{
    private const int HashLength = 16;

    /// <summary>
    /// A hash as the text of an ETag, without its quotation marks. It has to differ when the bytes do, and is no
    /// protection: SHA-256 takes many times as long (docs/performance.md).
    /// </summary>
    public static string HashOf(ReadOnlySpan<byte> bytes)
    {
        Span<byte> hash = stackalloc byte[HashLength];
        XxHash128.Hash(bytes, hash);
        return Base64Url.EncodeToString(hash);
    }

    /// <summary>Whether the client has the response with this ETag already.</summary>
    public static bool IsKnown(HttpRequest request, string etag)
    {
        var given = request.Headers.IfNoneMatch;
        if (given.Count == 0) return false;
        if (given is [{ } only] && only == etag) return true;
        // The parser that skips what is not an ETag needs the square of its length.
        if (!EntityTagHeaderValue.TryParseStrictList(given, out var tags)) return false;
        var current = new EntityTagHeaderValue(etag);
        return tags.Contains(EntityTagHeaderValue.Any)
            || tags.Any(tag => tag.Compare(current, useStrongComparison: false));
    }
}
