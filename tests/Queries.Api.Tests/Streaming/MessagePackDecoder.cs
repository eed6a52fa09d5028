using System.Buffers.Binary;
using System.Globalization;
using System.Text;

namespace ApexShop.Queries.Api.Tests.Streaming;

/// <summary>
/// Reads MessagePack back, strictly: whatever is not the shortest form of its value, is not in the format or does
/// not end where the input ends is an error.
/// </summary>
internal ref struct MessagePackDecoder(ReadOnlySpan<byte> input)
{
    private const int MaxDepth = 16;

    private ReadOnlySpan<byte> rest = input;

    public static List<object?> All(ReadOnlySpan<byte> input)
    {
        var decoder = new MessagePackDecoder(input);
        var values = new List<object?>();
        while (!decoder.rest.IsEmpty) values.Add(decoder.Value(0));
        return values;
    }

    private object? Value(int depth)
    {
        if (depth > MaxDepth) throw new FormatException("Too deep.");
        var head = Take(1)[0];
        return head switch
        {
            <= 0x7f => (long)head,
            <= 0x8f => Map(head & 0x0f, depth),
            <= 0x9f => List(head & 0x0f, depth),
            <= 0xbf => Text(head & 0x1f),
            0xc0 => null,
            0xc2 => false,
            0xc3 => true,
            0xc7 => Timestamp(Take(1)[0]),
            0xcb => BinaryPrimitives.ReadDoubleBigEndian(Take(8)),
            0xcc or 0xcd or 0xce => (long)Unsigned(1 << (head - 0xcc), head == 0xcc ? 0x80UL : 1UL << (4 << (head - 0xcc))),
            0xcf => checked((long)Unsigned(8, 1UL << 32)),
            >= 0xd0 and <= 0xd3 => Signed(1 << (head - 0xd0)),
            0xd6 => Timestamp(4),
            0xd7 => Timestamp(8),
            0xd9 => Text((int)Unsigned(1, 32)),
            0xda => Text((int)Unsigned(2, 1 << 8)),
            0xdb => Text((int)Unsigned(4, 1 << 16)),
            0xdc => List((int)Unsigned(2, 16), depth),
            0xdd => List((int)Unsigned(4, 1 << 16), depth),
            0xde => Map((int)Unsigned(2, 16), depth),
            0xdf => Map((int)Unsigned(4, 1 << 16), depth),
            >= 0xe0 => (long)(sbyte)head,
            _ => throw new FormatException($"0x{head:x2} has no place here."),
        };
    }

    private Dictionary<string, object?> Map(int count, int depth)
    {
        var map = new Dictionary<string, object?>();
        for (var i = 0; i < count; i++) map.Add((string)Value(depth + 1)!, Value(depth + 1));
        return map;
    }

    private List<object?> List(int count, int depth)
    {
        var list = new List<object?>();
        for (var i = 0; i < count; i++) list.Add(Value(depth + 1));
        return list;
    }

    private string Text(int length) => new UTF8Encoding(false, throwOnInvalidBytes: true).GetString(Take(length));

    private ulong Unsigned(int size, ulong least)
    {
        var value = Bits(size);
        return value >= least ? value : throw new FormatException($"{value} has a shorter form.");
    }

    private long Signed(int size)
    {
        var value = (long)(Bits(size) << (64 - (size * 8))) >> (64 - (size * 8));
        var shorter = size == 1 ? -32 : -1L << ((size * 4) - 1);
        return value < shorter ? value : throw new FormatException($"{value} has a shorter form.");
    }

    private string Timestamp(int size)
    {
        if (Take(1)[0] != 0xff) throw new FormatException("The only extension is the timestamp.");
        var nanoseconds = size == 12 ? (long)Bits(4) : 0;
        var bits = Bits(size == 12 ? 8 : size);
        var seconds = (long)bits;
        if (size == 8) (nanoseconds, seconds) = ((long)(bits >> 34), (long)(bits & ((1UL << 34) - 1)));
        if (size == 8 && nanoseconds == 0 && seconds <= uint.MaxValue) throw new FormatException("32 bits were enough.");
        if (size == 12 && seconds >> 34 == 0) throw new FormatException("64 bits were enough.");
        return DateTime.UnixEpoch.AddSeconds(seconds).AddTicks(nanoseconds / 100)
            .ToString("yyyy-MM-dd'T'HH:mm:ss.FFFFFF'Z'", CultureInfo.InvariantCulture);
    }

    private ulong Bits(int size)
    {
        var value = 0UL;
        foreach (var b in Take(size)) value = (value << 8) | b;
        return value;
    }

    private ReadOnlySpan<byte> Take(int count)
    {
        if (count > rest.Length) throw new FormatException("The input ends too early.");
        var taken = rest[..count];
        rest = rest[count..];
        return taken;
    }
}
