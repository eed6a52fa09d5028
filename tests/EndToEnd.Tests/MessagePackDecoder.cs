using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;

namespace ApexShop.EndToEnd.Tests;

/// <summary>
/// Reads MessagePack by its specification, independent of the code that writes it, as the JSON that says the same.
/// Covers what a document can hold; anything else is an error.
/// </summary>
internal sealed class MessagePackDecoder(ReadOnlyMemory<byte> bytes)
{
    private int at;

    public bool AtEnd => at == bytes.Length;

    public JsonNode? Next()
    {
        var tag = Take(1)[0];
        return tag switch
        {
            <= 0x7F => tag,
            <= 0x8F => Map(tag & 0x0F),
            <= 0x9F => Array(tag & 0x0F),
            <= 0xBF => Text(tag & 0x1F),
            0xC0 => null,
            0xC2 => false,
            0xC3 => true,
            0xC7 => Timestamp(Take(1)[0]),
            0xCA => (decimal)BinaryPrimitives.ReadSingleBigEndian(Take(4)),
            0xCB => (decimal)BinaryPrimitives.ReadDoubleBigEndian(Take(8)),
            0xCC => Take(1)[0],
            0xCD => BinaryPrimitives.ReadUInt16BigEndian(Take(2)),
            0xCE => BinaryPrimitives.ReadUInt32BigEndian(Take(4)),
            0xCF => BinaryPrimitives.ReadUInt64BigEndian(Take(8)),
            0xD0 => (sbyte)Take(1)[0],
            0xD1 => BinaryPrimitives.ReadInt16BigEndian(Take(2)),
            0xD2 => BinaryPrimitives.ReadInt32BigEndian(Take(4)),
            0xD3 => BinaryPrimitives.ReadInt64BigEndian(Take(8)),
            0xD6 => Timestamp(4),
            0xD7 => Timestamp(8),
            0xD9 => Text(Take(1)[0]),
            0xDA => Text(BinaryPrimitives.ReadUInt16BigEndian(Take(2))),
            0xDB => Text((int)BinaryPrimitives.ReadUInt32BigEndian(Take(4))),
            0xDC => Array(BinaryPrimitives.ReadUInt16BigEndian(Take(2))),
            0xDE => Map(BinaryPrimitives.ReadUInt16BigEndian(Take(2))),
            >= 0xE0 => (sbyte)tag,
            _ => throw new FormatException($"Tag {tag:X2} at {at - 1} is none that a document needs."),
        };
    }

    private ReadOnlySpan<byte> Take(int count)
    {
        at += count;
        return bytes.Span[(at - count)..at];
    }

    private string Text(int length) => Encoding.UTF8.GetString(Take(length));

    private JsonArray Array(int count)
    {
        var array = new JsonArray();
        for (var i = 0; i < count; i++) array.Add(Next());
        return array;
    }

    private JsonObject Map(int count)
    {
        var map = new JsonObject();
        for (var i = 0; i < count; i++) map.Add((string)Next()!, Next());
        return map;
    }

    private string Timestamp(int length)
    {
        var type = (sbyte)Take(1)[0];
        if (type != -1) throw new FormatException($"Extension {type} is no timestamp.");
        var (seconds, nanoseconds) = length switch
        {
            4 => (BinaryPrimitives.ReadUInt32BigEndian(Take(4)), 0L),
            8 when BinaryPrimitives.ReadUInt64BigEndian(Take(8)) is var packed =>
                ((long)(packed & 0x3_FFFF_FFFF), (long)(packed >> 34)),
            12 => Ninety6(),
            _ => throw new FormatException($"A timestamp has no {length} bytes."),
        };
        return DateTime.UnixEpoch.AddSeconds(seconds).AddTicks(nanoseconds / 100)
            .ToString("yyyy-MM-dd'T'HH:mm:ss.FFFFFF'Z'", CultureInfo.InvariantCulture);
    }

    private (long Seconds, long Nanoseconds) Ninety6()
    {
        var nanoseconds = BinaryPrimitives.ReadUInt32BigEndian(Take(4));
        return (BinaryPrimitives.ReadInt64BigEndian(Take(8)), nanoseconds);
    }
}
