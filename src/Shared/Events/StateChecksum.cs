using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace ApexShop.Events;

/// <summary>
/// Checksums that compare two copies of the aggregates. The checksum of an aggregate is the SHA-256 of the JSON of its
/// state as PostgreSQL writes it. The checksum of a bucket is the SHA-256 of the checksums of its aggregates by id.
/// </summary>
public static class StateChecksum
{
    /// <summary>Ids per bucket: bucket 3 contains the ids 1,500 to 1,999.</summary>
    public const int BucketSize = 500;

    /// <summary>Checksum of a state, from the JSON that <see cref="EventJson"/> writes.</summary>
    public static byte[] Of(ReadOnlySpan<byte> json) =>
        SHA256.HashData(json.Contains((byte)'\\') ? AsPostgreSql(json) : json);

    /// <summary>Checksum of a bucket, from the checksums of its aggregates in the order of their ids.</summary>
    public static string OfBucket(IEnumerable<byte[]> checksums)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var checksum in checksums) hash.AppendData(checksum);
        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }

    /// <summary>
    /// The same JSON as PostgreSQL writes it: only control characters as \uXXXX, in lower case. .NET escapes more,
    /// depending on the encoder.
    /// </summary>
    public static ReadOnlySpan<byte> AsPostgreSql(ReadOnlySpan<byte> json)
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
            var escape = unit < ' ' ? string.Create(CultureInfo.InvariantCulture, $"\\u{(int)unit:x4}") : $"\\{unit}";
            text.Write(Encoding.ASCII.GetBytes(escape));
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
