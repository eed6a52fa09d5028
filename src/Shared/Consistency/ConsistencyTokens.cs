using System.Buffers.Text;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using ApexShop.Resources;

namespace ApexShop.Consistency;

/// <summary>
/// Consistency tokens as text: format, changes and signature. Without the signature a client could invent a version
/// that no document will have, and each of its requests would wait for it and read past the cache.
/// </summary>
/// <param name="key">The key of the signature in base64; see <see cref="TokenOptions.Key"/>.</param>
public sealed class ConsistencyTokens(string key)
{
    // The length of a token that contains every resource with the largest numbers.
    private const int MaxLength = 400;
    private const int SignatureLength = 16;
    private const string Format = "2";

    private readonly byte[] key = Convert.FromBase64String(key);

    public string Write(ConsistencyToken token)
    {
        var text = new StringBuilder(Format);
        foreach (var change in token.Changes)
        {
            text.Append(CultureInfo.InvariantCulture, $" {change.Resource}.{change.Id}.{change.Version}");
        }

        var content = Encoding.UTF8.GetBytes(text.ToString());
        return Base64Url.EncodeToString([.. content, .. Signature(content)]);
    }

    /// <summary>False unless the text is what <see cref="Write"/> has returned with the same key.</summary>
    public bool TryRead(string? text, [NotNullWhen(true)] out ConsistencyToken? token)
    {
        token = null;
        if (text is null or { Length: > MaxLength } || !Base64Url.IsValid(text)) return false;
        var bytes = Base64Url.DecodeFromChars(text).AsSpan();
        if (bytes.Length < SignatureLength) return false;
        var content = bytes[..^SignatureLength];
        if (ToToken(Encoding.UTF8.GetString(content)) is not { } read) return false;

        // Also compares the signature, in a time that does not help to guess one. Padding, line breaks and leading
        // zeros are not valid: a token has exactly one text.
        var written = Encoding.ASCII.GetBytes(Write(read));
        if (!CryptographicOperations.FixedTimeEquals(written, Encoding.ASCII.GetBytes(text))) return false;
        token = read;
        return true;
    }

    private ReadOnlySpan<byte> Signature(ReadOnlySpan<byte> content) =>
        HMACSHA256.HashData(key, content).AsSpan(0, SignatureLength);

    private static ConsistencyToken? ToToken(string content)
    {
        var parts = content.Split(' ');
        if (parts[0] != Format) return null;
        var changes = new List<ConsistencyToken.Change>(parts.Length - 1);
        foreach (var part in parts.AsSpan(1))
        {
            if (ToChange(part.Split('.')) is not { } change) return null;
            if (changes.Exists(earlier => earlier.Resource == change.Resource)) return null;
            changes.Add(change);
        }

        return new ConsistencyToken(changes);
    }

    private static ConsistencyToken.Change? ToChange(string[] fields) =>
        fields is [var resource, var id, var version]
        && Resource.Exists(resource)
        && int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var parsedId)
        && long.TryParse(version, NumberStyles.None, CultureInfo.InvariantCulture, out var parsedVersion)
            ? new ConsistencyToken.Change(resource, parsedId, parsedVersion)
            : null;
}
