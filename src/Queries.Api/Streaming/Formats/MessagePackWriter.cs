using System.Buffers;
using System.Buffers.Binary;
using System.Numerics;

namespace ApexShop.Queries.Api.Streaming.Formats;

/// <summary>
/// Writes the elements of the MessagePack format (github.com/msgpack/msgpack, spec.md), each in the shortest form
/// that holds its value.
/// </summary>
internal static class MessagePackWriter
{
    private const uint MaxNanoseconds = 999_999_999;
    private const long MaxTimestamp64Seconds = (1L << 34) - 1;

    public static void WriteNil(IBufferWriter<byte> output) => WriteByte(output, 0xc0);

    public static void WriteBoolean(IBufferWriter<byte> output, bool value) =>
        WriteByte(output, value ? (byte)0xc3 : (byte)0xc2);

    /// <summary>A number that is not negative, as positive fixint or uint 8, 16, 32, 64.</summary>
    public static void WriteInteger(IBufferWriter<byte> output, ulong value)
    {
        switch (value)
        {
            case <= 0x7f: WriteByte(output, (byte)value); break;
            case <= byte.MaxValue: WriteHead(output, 0xcc, (byte)value); break;
            case <= ushort.MaxValue: WriteHead(output, 0xcd, (ushort)value); break;
            case <= uint.MaxValue: WriteHead(output, 0xce, (uint)value); break;
            default: WriteHead(output, 0xcf, value); break;
        }
    }

    /// <summary>Any signed number; a negative one as negative fixint or int 8, 16, 32, 64.</summary>
    public static void WriteInteger(IBufferWriter<byte> output, long value)
    {
        switch (value)
        {
            case >= 0: WriteInteger(output, (ulong)value); break;
            case >= -32: WriteByte(output, (byte)value); break;
            case >= sbyte.MinValue: WriteHead(output, 0xd0, (byte)value); break;
            case >= short.MinValue: WriteHead(output, 0xd1, (ushort)value); break;
            case >= int.MinValue: WriteHead(output, 0xd2, (uint)value); break;
            default: WriteHead(output, 0xd3, (ulong)value); break;
        }
    }

    public static void WriteDouble(IBufferWriter<byte> output, double value) =>
        WriteHead(output, 0xcb, BitConverter.DoubleToUInt64Bits(value));

    /// <summary>Text that already is UTF-8, as fixstr or str 8, 16, 32.</summary>
    public static void WriteString(IBufferWriter<byte> output, ReadOnlySpan<byte> utf8)
    {
        switch (utf8.Length)
        {
            case <= 31: WriteByte(output, (byte)(0xa0 | utf8.Length)); break;
            case <= byte.MaxValue: WriteHead(output, 0xd9, (byte)utf8.Length); break;
            case <= ushort.MaxValue: WriteHead(output, 0xda, (ushort)utf8.Length); break;
            default: WriteHead(output, 0xdb, (uint)utf8.Length); break;
        }

        output.Write(utf8);
    }

    public static void WriteArrayHeader(IBufferWriter<byte> output, int count) =>
        WriteContainer(output, count, 0x90, 0xdc);

    public static void WriteMapHeader(IBufferWriter<byte> output, int count) =>
        WriteContainer(output, count, 0x80, 0xde);

    /// <summary>Extension -1 as timestamp 32, 64 or 96.</summary>
    public static void WriteTimestamp(IBufferWriter<byte> output, long seconds, uint nanoseconds)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(nanoseconds, MaxNanoseconds);
        if (nanoseconds == 0 && seconds is >= 0 and <= uint.MaxValue)
        {
            WriteByte(output, 0xd6);
            WriteHead(output, 0xff, (uint)seconds);
        }
        else if (seconds is >= 0 and <= MaxTimestamp64Seconds)
        {
            WriteByte(output, 0xd7);
            WriteHead(output, 0xff, ((ulong)nanoseconds << 34) | (ulong)seconds);
        }
        else
        {
            WriteHead(output, 0xc7, (byte)12);
            WriteHead(output, 0xff, nanoseconds);
            BinaryPrimitives.WriteInt64BigEndian(output.GetSpan(8), seconds);
            output.Advance(8);
        }
    }

    private static void WriteContainer(IBufferWriter<byte> output, int count, byte fix, byte head16)
    {
        if (count <= 15) WriteByte(output, (byte)(fix | count));
        else if (count <= ushort.MaxValue) WriteHead(output, head16, (ushort)count);
        else WriteHead(output, (byte)(head16 + 1), (uint)count);
    }

    private static void WriteByte(IBufferWriter<byte> output, byte value)
    {
        output.GetSpan(1)[0] = value;
        output.Advance(1);
    }

    private static void WriteHead<T>(IBufferWriter<byte> output, byte head, T value)
        where T : unmanaged, IBinaryInteger<T>
    {
        var span = output.GetSpan(1 + sizeof(ulong));
        span[0] = head;
        output.Advance(1 + value.WriteBigEndian(span[1..]));
    }
}
