using System.Buffers;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>All documents as one JSON array.</summary>
internal sealed class JsonArrayWriter : IDocumentWriter
{
    private bool isOpen;

    public byte Separator => (byte)',';

    public SegmentForm Kept => SegmentForm.Array;

    public void Write(ReadOnlySpan<byte> documents, IBufferWriter<byte> output)
    {
        if (documents.IsEmpty) return;
        output.Write(isOpen ? ","u8 : "["u8);
        // Whether another document follows the last one is known only when it comes.
        output.Write(documents[..^1]);
        isOpen = true;
    }

    public void End(IBufferWriter<byte> output) => output.Write(isOpen ? "]"u8 : "[]"u8);
}
