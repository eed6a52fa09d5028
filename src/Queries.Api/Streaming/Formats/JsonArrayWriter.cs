using System.Buffers;

namespace ApexShop.Queries.Api.Streaming.Formats;

/// <summary>All documents as one JSON array.</summary>
internal sealed class JsonArrayWriter : IDocumentWriter
{
    private bool isOpen;

    public byte Separator => (byte)',';

    public void Write(ReadOnlySpan<byte> documents, IBufferWriter<byte> output)
    {
        if (documents.IsEmpty) return;
        output.Write(isOpen ? ","u8 : "["u8);
        // Without the last separator: whether another document follows is not known yet.
        output.Write(documents[..^1]);
        isOpen = true;
    }

    public void End(IBufferWriter<byte> output) => output.Write(isOpen ? "]"u8 : "[]"u8);
}
