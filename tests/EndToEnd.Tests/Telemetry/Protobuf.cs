using System.Buffers.Binary;
using System.Text;

namespace ApexShop.EndToEnd.Tests.Telemetry;

/// <summary>The fields of one protobuf message by their numbers; the caller knows their meaning.</summary>
internal sealed class Protobuf
{
    private readonly List<(int Number, ulong Scalar, ReadOnlyMemory<byte> Bytes)> fields = [];

    public Protobuf(ReadOnlyMemory<byte> message)
    {
        while (!message.IsEmpty)
        {
            var tag = Varint(ref message);
            var (number, scalar, bytes) = ((int)(tag >> 3), 0UL, ReadOnlyMemory<byte>.Empty);
            switch (tag & 7)
            {
                case 0: scalar = Varint(ref message); break;
                case 1: scalar = BinaryPrimitives.ReadUInt64LittleEndian(Take(ref message, 8).Span); break;
                case 2: bytes = Take(ref message, (int)Varint(ref message)); break;
                case 5: scalar = BinaryPrimitives.ReadUInt32LittleEndian(Take(ref message, 4).Span); break;
                default: throw new FormatException($"No such wire type: {tag & 7}");
            }

            fields.Add((number, scalar, bytes));
        }
    }

    public IEnumerable<Protobuf> Messages(int number) => All(number).Select(field => new Protobuf(field.Bytes));

    public string Text(int number) => Encoding.UTF8.GetString(Last(number).Bytes.Span);

    /// <summary>Bytes in hexadecimal, as ids are written.</summary>
    public string Hex(int number) => Convert.ToHexStringLower(Last(number).Bytes.Span);

    public long Number(int number) => (long)Last(number).Scalar;

    public bool Has(int number) => All(number).Any();

    private IEnumerable<(int Number, ulong Scalar, ReadOnlyMemory<byte> Bytes)> All(int number) =>
        fields.Where(field => field.Number == number);

    private (int Number, ulong Scalar, ReadOnlyMemory<byte> Bytes) Last(int number) => All(number).LastOrDefault();

    private static ulong Varint(ref ReadOnlyMemory<byte> from)
    {
        var value = 0UL;
        for (var shift = 0; ; shift += 7)
        {
            var next = Take(ref from, 1).Span[0];
            value |= (ulong)(next & 0x7f) << shift;
            if (next < 0x80) return value;
        }
    }

    private static ReadOnlyMemory<byte> Take(ref ReadOnlyMemory<byte> from, int count)
    {
        var taken = from[..count];
        from = from[count..];
        return taken;
    }
}
