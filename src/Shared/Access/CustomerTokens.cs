using System.Buffers.Binary;
using System.Buffers.Text;
using System.Security.Claims;
using System.Security.Cryptography;
using Microsoft.Extensions.Options;

namespace ApexShop.Access;

/// <summary>A customer's token and the end of its validity.</summary>
public sealed record CustomerToken(string Token, DateTime ExpiresAt, int CustomerId);

/// <summary>
/// Writes and reads the tokens of customers: format version, user id and end of validity, signed. Nothing is stored, so
/// a token is valid until its end.
/// </summary>
public sealed class CustomerTokens(IOptions<SessionOptions> sessions, TimeProvider clock)
{
    private const string Prefix = "customer_";
    private const byte FormatVersion = 1;
    private const int ContentLength = 1 + sizeof(int) + sizeof(long);
    private const int Length = ContentLength + HMACSHA256.HashSizeInBytes;

    // No signature for another purpose with the same key is valid here.
    private static readonly byte[] purpose = "ApexShop customer token\n"u8.ToArray();

    private readonly byte[] key = Convert.FromBase64String(sessions.Value.Key);

    /// <summary>Whether a key is configured; without one no token is written or valid.</summary>
    public bool IsOn => key.Length > 0;

    public CustomerToken Write(int customerId)
    {
        if (!IsOn) throw new InvalidOperationException("The key that signs the tokens of customers is not set.");
        var end = clock.GetUtcNow().AddMinutes(sessions.Value.Minutes).ToUnixTimeSeconds();
        var bytes = new byte[Length];
        bytes[0] = FormatVersion;
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(1), customerId);
        BinaryPrimitives.WriteInt64BigEndian(bytes.AsSpan(5), end);
        Sign(bytes.AsSpan(..ContentLength), bytes.AsSpan(ContentLength..));
        var expiresAt = DateTimeOffset.FromUnixTimeSeconds(end).UtcDateTime;
        return new(Prefix + Base64Url.EncodeToString(bytes), expiresAt, customerId);
    }

    /// <summary>The principal of this token; null when it is not one, was changed or has expired.</summary>
    internal ClaimsPrincipal? FindPrincipal(string token)
    {
        if (!IsOn || !token.StartsWith(Prefix, StringComparison.Ordinal)) return null;
        var text = token.AsSpan(Prefix.Length);
        Span<byte> bytes = stackalloc byte[Length];
        if (text.Length != Base64Url.GetEncodedLength(Length) || !Base64Url.IsValid(text)) return null;
        if (!Base64Url.TryDecodeFromChars(text, bytes, out var written) || written != Length) return null;

        Span<byte> signature = stackalloc byte[HMACSHA256.HashSizeInBytes];
        Sign(bytes[..ContentLength], signature);
        if (!CryptographicOperations.FixedTimeEquals(signature, bytes[ContentLength..])) return null;

        var isCurrent = BinaryPrimitives.ReadInt64BigEndian(bytes[5..]) > clock.GetUtcNow().ToUnixTimeSeconds();
        return bytes[0] == FormatVersion && isCurrent
            ? Customer.PrincipalOf(BinaryPrimitives.ReadInt32BigEndian(bytes[1..]))
            : null;
    }

    private void Sign(ReadOnlySpan<byte> content, Span<byte> signature)
    {
        using var hash = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, key);
        hash.AppendData(purpose);
        hash.AppendData(content);
        hash.GetHashAndReset(signature);
    }
}
