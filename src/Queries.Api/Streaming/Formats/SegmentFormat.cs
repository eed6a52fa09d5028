using System.Buffers;
using System.Text;

namespace ApexShop.Queries.Api.Streaming.Formats;

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

    /// <summary>Documents with the separators of the format.</summary>
    public ReadOnlySpan<byte> Separated(ReadOnlySpan<byte> documents)
    {
        if (Separator == LineBreak) return documents;
        var separated = new byte[documents.Length];
        documents.Replace(separated, LineBreak, Separator);
        return separated;
    }

    public static void Write(string text, IBufferWriter<byte> output) => Encoding.UTF8.GetBytes(text, output);
}
