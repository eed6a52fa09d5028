using System.Buffers.Binary;
using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Reading;

/// <summary>A row's position in a list, and the epoch of the read schema that it was read from.</summary>
internal readonly record struct Cursor(long Epoch, KeysetPosition At);

/// <summary>
/// Cursors as tokens: format version, epoch, id and sort value, signed together with the list that they belong to. The
/// signature is invalid for another list, filter, sort, key or format, and for a token that was changed.
/// </summary>
internal sealed class Cursors(IOptions<ReadingOptions> reading)
{
    private const byte FormatVersion = 2;
    private const int HeaderLength = 1 + sizeof(long) + sizeof(int);
    private const int SignatureLength = 16;
    private const int MaxTokenLength = 2048;

    private readonly byte[] key = Convert.FromBase64String(reading.Value.CursorKey);

    public string Write(ListQuery list, Cursor cursor)
    {
        var (epoch, at) = cursor;
        var value = list.Sort.Kind?.Format(at.Value!) ?? "";
        var bytes = new byte[HeaderLength + Encoding.UTF8.GetByteCount(value) + SignatureLength];
        bytes[0] = FormatVersion;
        BinaryPrimitives.WriteInt64BigEndian(bytes.AsSpan(1), epoch);
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(9), at.Id);
        Encoding.UTF8.GetBytes(value, bytes.AsSpan(HeaderLength));
        Sign(list, bytes.AsSpan()[..^SignatureLength], bytes.AsSpan()[^SignatureLength..]);
        return Base64Url.EncodeToString(bytes);
    }

    /// <summary>Null unless the token is a cursor of this list.</summary>
    public Cursor? Read(ListQuery list, string token)
    {
        if (token.Length > MaxTokenLength || !Base64Url.IsValid(token)) return null;
        var bytes = Base64Url.DecodeFromChars(token).AsSpan();
        if (bytes.Length < HeaderLength + SignatureLength || bytes[0] != FormatVersion) return null;

        Span<byte> signature = stackalloc byte[SignatureLength];
        Sign(list, bytes[..^SignatureLength], signature);
        if (!CryptographicOperations.FixedTimeEquals(signature, bytes[^SignatureLength..])) return null;

        var value = list.Sort.Kind?.Parse(Encoding.UTF8.GetString(bytes[HeaderLength..^SignatureLength]));
        var at = new KeysetPosition(value, BinaryPrimitives.ReadInt32BigEndian(bytes[9..]));
        return new Cursor(BinaryPrimitives.ReadInt64BigEndian(bytes[1..]), at);
    }

    private void Sign(ListQuery list, ReadOnlySpan<byte> content, Span<byte> signature)
    {
        using var hash = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, key);
        hash.AppendData(content);
        hash.AppendData(Encoding.UTF8.GetBytes(list.Identity()));
        Span<byte> full = stackalloc byte[HMACSHA256.HashSizeInBytes];
        hash.GetHashAndReset(full);
        full[..SignatureLength].CopyTo(signature);
    }
}
