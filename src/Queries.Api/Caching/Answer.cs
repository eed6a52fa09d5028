using System.Buffers.Text;
using System.Security.Cryptography;
using ApexShop.Queries.Api.Compression;

namespace ApexShop.Queries.Api.Caching;

/// <summary>A finished answer: its exact bytes, the strong tag of this state of them, and the Link header, if any.</summary>
internal sealed record Answer(ReadOnlyMemory<byte> Body, string ETag, string? Link = null)
{
    // Half of SHA-256 tells any two pages apart.
    private const int HashLength = 16;

    private CodedForms? forms;

    /// <summary>The bytes in a coding.</summary>
    public ReadOnlyMemory<byte> In(ContentCoding coding) =>
        coding == ContentCoding.Plain ? Body : (forms ??= new CodedForms(Body)).In(coding);

    /// <summary>An answer whose state has no name but its bytes.</summary>
    public static Answer Of(ReadOnlyMemory<byte> body, string? link = null)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(body.Span, hash);
        return new Answer(body, $"\"{Base64Url.EncodeToString(hash[..HashLength])}\"", link);
    }
}
