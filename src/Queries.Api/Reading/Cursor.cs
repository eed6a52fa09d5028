using System.Buffers.Binary;
using System.Buffers.Text;
using System.Text;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// The place behind which a keyset page starts, as an opaque token: format version, epoch of the read schema, last
/// id, and the list that it belongs to. A token of an older format or another list is not understood.
/// </summary>
internal readonly record struct Cursor(long Epoch, int LastId, string List)
{
    private const byte FormatVersion = 1;
    private const int HeaderLength = 1 + sizeof(long) + sizeof(int);
    private const int MaxTokenLength = 200;

    public static bool TryParse(string token, string list, out Cursor cursor)
    {
        cursor = default;
        if (token.Length > MaxTokenLength || !Base64Url.IsValid(token)) return false;
        var bytes = Base64Url.DecodeFromChars(token).AsSpan();
        if (bytes.Length < HeaderLength || bytes[0] != FormatVersion) return false;

        cursor = new Cursor(
            BinaryPrimitives.ReadInt64BigEndian(bytes[1..]),
            BinaryPrimitives.ReadInt32BigEndian(bytes[9..]),
            Encoding.UTF8.GetString(bytes[HeaderLength..]));
        return cursor.List == list;
    }

    public override string ToString()
    {
        Span<byte> bytes = stackalloc byte[HeaderLength + Encoding.UTF8.GetMaxByteCount(List.Length)];
        bytes[0] = FormatVersion;
        BinaryPrimitives.WriteInt64BigEndian(bytes[1..], Epoch);
        BinaryPrimitives.WriteInt32BigEndian(bytes[9..], LastId);
        var listLength = Encoding.UTF8.GetBytes(List, bytes[HeaderLength..]);
        return Base64Url.EncodeToString(bytes[..(HeaderLength + listLength)]);
    }
}
