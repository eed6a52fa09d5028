using ApexShop.Queries.Api.Compression;
using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// A complete response: its bytes, the strong ETag of exactly these bytes, and its Link header, if any.
/// </summary>
internal sealed record CachedResponse(ReadOnlyMemory<byte> Body, string ETag, string? Link = null)
{
    private CompressedForms? forms;

    /// <summary>Null if shared caches may not keep it.</summary>
    public SharedCaching? Shared { get; init; }

    public ReadOnlyMemory<byte> In(ContentCoding coding) =>
        coding == ContentCoding.Identity ? Body : (forms ??= new CompressedForms(Body)).In(coding);

    /// <summary>A response whose ETag is a hash of its bytes.</summary>
    public static CachedResponse Of(ReadOnlyMemory<byte> body, string? link = null) =>
        new(body, $"\"{EntityTags.HashOf(body.Span)}\"", link);
}
