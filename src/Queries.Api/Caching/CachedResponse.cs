using System.Buffers.Text;
using System.Security.Cryptography;
using ApexShop.Queries.Api.Compression;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// A complete response: its bytes, the strong ETag of exactly these bytes, and its Link header, if any.
/// </summary>
internal sealed record CachedResponse(ReadOnlyMemory<byte> Body, string ETag, string? Link = null)
{
    // Half of a SHA-256 hash identifies a page.
    private const int HashLength = 16;

    private CompressedForms? forms;

    public ReadOnlyMemory<byte> In(ContentCoding coding) =>
        coding == ContentCoding.Identity ? Body : (forms ??= new CompressedForms(Body)).In(coding);

    /// <summary>A response whose ETag is a hash of its bytes.</summary>
    public static CachedResponse Of(ReadOnlyMemory<byte> body, string? link = null)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(body.Span, hash);
        return new CachedResponse(body, $"\"{Base64Url.EncodeToString(hash[..HashLength])}\"", link);
    }
}
