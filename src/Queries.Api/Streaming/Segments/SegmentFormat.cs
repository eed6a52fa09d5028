using System.Buffers;
using System.Text;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Streaming.Rows;

namespace ApexShop.Queries.Api.Streaming.Segments;

/// <summary>
/// How cached documents become a response. A JSON segment has a line break before each document, and no document
/// contains one: sent unchanged it is NDJSON, with commas instead it is an array. MessagePack has no separators.
/// </summary>
/// <param name="IsMessagePack">Whether the format uses MessagePack segments; otherwise JSON segments.</param>
/// <param name="Open">Replaces the first document's line break.</param>
/// <param name="Separator">Replaces every other line break.</param>
/// <param name="Close">Follows the last document.</param>
/// <param name="Empty">The whole response when there are no documents.</param>
internal sealed record SegmentFormat(bool IsMessagePack, string Open, byte Separator, string Close, string Empty)
{
    public const byte LineBreak = (byte)'\n';

    /// <summary>The length of the first document's line break, which is never sent.</summary>
    public int BytesBefore => IsMessagePack ? 0 : 1;

    /// <summary>Makes a segment of documents as they are stored, with a line break before each.</summary>
    public static Segment Encode(SegmentVersion version, byte[] lines, bool isMessagePack)
    {
        var ends = new List<int>(version.Count);
        if (!isMessagePack)
        {
            for (var end = 0; end < lines.Length; ends.Add(end)) end = EndOfLine(lines, end);
            return new Segment(version, lines, [.. ends]);
        }

        using var maps = new PooledBuffer(lines.Length);
        var transcoder = new MessagePackTranscoder();
        for (var start = 0; start < lines.Length; ends.Add(maps.Length))
        {
            var end = EndOfLine(lines, start);
            transcoder.Write(lines.AsSpan((start + 1)..end), maps);
            start = end;
        }

        return new Segment(version, maps.Written.ToArray(), [.. ends]);
    }

    /// <summary>The length of a response with so many bytes of segments.</summary>
    public long LengthOf(long bytes) => bytes == 0 ? Empty.Length : bytes - BytesBefore + Open.Length + Close.Length;

    public void Write(ReadOnlySpan<byte> documents, IBufferWriter<byte> output)
    {
        while (!documents.IsEmpty)
        {
            var room = output.GetSpan();
            var length = Math.Min(room.Length, documents.Length);
            if (Separator == LineBreak) documents[..length].CopyTo(room);
            else documents[..length].Replace(room[..length], LineBreak, Separator);
            output.Advance(length);
            documents = documents[length..];
        }
    }

    public static void Write(string text, IBufferWriter<byte> output) => Encoding.UTF8.GetBytes(text, output);

    private static int EndOfLine(byte[] lines, int start)
    {
        var length = lines.AsSpan(start + 1).IndexOf(LineBreak);
        return length < 0 ? lines.Length : start + 1 + length;
    }
}
