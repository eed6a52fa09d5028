using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace ApexShop.Events;

/// <summary>
/// What two copies of the aggregates are compared by. The checksum of an aggregate is SHA-256 over the JSON of its state
/// as PostgreSQL writes it, that of a bucket SHA-256 over the checksums of its aggregates by id, both in hexadecimal.
/// </summary>
public static class StateChecksum
{
    /// <summary>Ids of a bucket: bucket 3 holds ids 1,500 to 1,999.</summary>
    public const int BucketSize = 500;

    /// <summary>Checksum of a state; <paramref name="json"/> is what <see cref="EventJson"/> writes.</summary>
    public static byte[] Of(ReadOnlySpan<byte> json) => SHA256.HashData(json.Contains((byte)'\\') ? AsPostgreSql(json) : json);

    /// <summary>Checksum of a bucket, from those of its aggregates in the order of their ids.</summary>
    public static string OfBucket(IEnumerable<byte[]> checksums)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var checksum in checksums) hash.AppendData(checksum);
        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }

    // Of what .NET writes as \uXXXX, PostgreSQL writes only the control characters below the space so, in lower case; how
    // much it is depends on the encoder.
    private static ReadOnlySpan<byte> AsPostgreSql(ReadOnlySpan<byte> json)
    {
        var text = new ArrayBufferWriter<byte>(json.Length);
        while (json.IndexOf((byte)'\\') is var at and >= 0)
        {
            text.Write(json[..at]);
            json = json[at..];
            var length = 2;
            if (json[1] == 'u') length = WriteCharacter(text, json);
            else text.Write(json[..2]);
            json = json[length..];
        }

        text.Write(json);
        return text.WrittenSpan;
    }

    private static int WriteCharacter(ArrayBufferWriter<byte> text, ReadOnlySpan<byte> json)
    {
        var unit = Unit(json);
        if (unit < ' ' || unit is '"' or '\\')
        {
            text.Write(Encoding.ASCII.GetBytes(unit < ' ' ? string.Create(CultureInfo.InvariantCulture, $"\\u{(int)unit:x4}") : $"\\{unit}"));
            return 6;
        }

        var isPair = char.IsHighSurrogate(unit);
        var rune = isPair ? new Rune(unit, Unit(json[6..])) : new Rune(unit);
        Span<byte> bytes = stackalloc byte[4];
        text.Write(bytes[..rune.EncodeToUtf8(bytes)]);
        return isPair ? 12 : 6;
    }

    private static char Unit(ReadOnlySpan<byte> escaped) =>
        (char)ushort.Parse(escaped.Slice(2, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
}
