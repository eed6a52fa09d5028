using System.Buffers;
using System.Text;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>
/// How kept documents become a response. Kept JSON has a line break before each document, and no document has one
/// inside: written as it is it makes lines, with commas instead it makes an array. MessagePack has nothing in between.
/// </summary>
/// <param name="IsPacked">Whether MessagePack is kept for it, else JSON.</param>
/// <param name="Open">What the first document's line break becomes.</param>
/// <param name="Separator">What every other line break becomes.</param>
/// <param name="Close">What stands behind the last document.</param>
/// <param name="Nothing">The whole response when there are no documents.</param>
internal sealed record SegmentForm(bool IsPacked, string Open, byte Separator, string Close, string Nothing)
{
    public const byte Break = (byte)'\n';

    public static SegmentForm Lines { get; } = new(false, "", Break, "\n", "");

    public static SegmentForm Array { get; } = new(false, "[", (byte)',', "]", "[]");

    public static SegmentForm Maps { get; } = new(true, "", Break, "", "");

    /// <summary>What the first document's line break takes, and no other format has.</summary>
    public int BytesBefore => IsPacked ? 0 : 1;

    public long LengthOf(long kept) => kept == 0 ? Nothing.Length : kept - BytesBefore + Open.Length + Close.Length;

    public void Write(ReadOnlySpan<byte> kept, IBufferWriter<byte> output)
    {
        while (!kept.IsEmpty)
        {
            var room = output.GetSpan();
            var length = Math.Min(room.Length, kept.Length);
            if (Separator == Break) kept[..length].CopyTo(room);
            else kept[..length].Replace(room[..length], Break, Separator);
            output.Advance(length);
            kept = kept[length..];
        }
    }

    public static void Write(string text, IBufferWriter<byte> output) => Encoding.UTF8.GetBytes(text, output);
}
