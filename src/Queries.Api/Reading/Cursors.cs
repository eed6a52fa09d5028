using System.Buffers.Binary;
using System.Buffers.Text;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using ApexShop.Queries.Api.Resources;
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

    public string Write(ListQuery list, Cursor cursor) => Write(
        list.Identity(), cursor.Epoch, cursor.At.Id, list.Sort.Kind?.Format(cursor.At.Value!) ?? "");

    /// <summary>Null unless the token is a cursor of this list.</summary>
    public Cursor? Read(ListQuery list, string token) => Read(list.Identity(), token) is var (epoch, id, value)
        ? new Cursor(epoch, new KeysetPosition(list.Sort.Kind?.Parse(value), id))
        : null;

    /// <summary>A place among the changes of a resource, whose value is the revision.</summary>
    public string WriteChange(ReadModel resource, Cursor cursor) => Write(
        ChangesOf(resource),
        cursor.Epoch,
        cursor.At.Id,
        ((long)cursor.At.Value!).ToString(CultureInfo.InvariantCulture));

    /// <summary>Null unless the token is a place among the changes of this resource.</summary>
    public Cursor? ReadChange(ReadModel resource, string token) =>
        Read(ChangesOf(resource), token) is var (epoch, id, value)
            ? new Cursor(epoch, new KeysetPosition(long.Parse(value, CultureInfo.InvariantCulture), id))
            : null;

    // No list has this identity: that of a list has the name of a sort behind a question mark.
    private static string ChangesOf(ReadModel resource) => $"{resource.Name}/changes";

    private string Write(string identity, long epoch, int id, string value)
    {
        var bytes = new byte[HeaderLength + Encoding.UTF8.GetByteCount(value) + SignatureLength];
        bytes[0] = FormatVersion;
        BinaryPrimitives.WriteInt64BigEndian(bytes.AsSpan(1), epoch);
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(9), id);
        Encoding.UTF8.GetBytes(value, bytes.AsSpan(HeaderLength));
        Sign(identity, bytes.AsSpan()[..^SignatureLength], bytes.AsSpan()[^SignatureLength..]);
        return Base64Url.EncodeToString(bytes);
    }

    private (long Epoch, int Id, string Value)? Read(string identity, string token)
    {
        if (token.Length > MaxTokenLength || !Base64Url.IsValid(token)) return null;
        var bytes = Base64Url.DecodeFromChars(token).AsSpan();
        if (bytes.Length < HeaderLength + SignatureLength || bytes[0] != FormatVersion) return null;

        Span<byte> signature = stackalloc byte[SignatureLength];
        Sign(identity, bytes[..^SignatureLength], signature);
        if (!CryptographicOperations.FixedTimeEquals(signature, bytes[^SignatureLength..])) return null;

        var epoch = BinaryPrimitives.ReadInt64BigEndian(bytes[1..]);
        var id = BinaryPrimitives.ReadInt32BigEndian(bytes[9..]);
        return (epoch, id, Encoding.UTF8.GetString(bytes[HeaderLength..^SignatureLength]));
    }

    private void Sign(string identity, ReadOnlySpan<byte> content, Span<byte> signature)
    {
        using var hash = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, key);
        hash.AppendData(Encoding.UTF8.GetBytes(identity));
        // No identity has this byte, so no other identity and content are the same bytes.
        hash.AppendData([0]);
        hash.AppendData(content);
        Span<byte> full = stackalloc byte[HMACSHA256.HashSizeInBytes];
        hash.GetHashAndReset(full);
        full[..SignatureLength].CopyTo(signature);
    }
}
