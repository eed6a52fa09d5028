using System.Buffers;

namespace ApexShop.Queries.Api.Streaming.Formats;

/// <summary>All documents as one JSON array, after other bytes if there are some.</summary>
internal sealed class JsonArrayWriter(byte[]? before = null) : IDocumentWriter
{
    private bool isOpen;

    public byte Separator => (byte)',';

    public void Write(ReadOnlySpan<byte> documents, IBufferWriter<byte> output)
    {
        if (documents.IsEmpty) return;
        if (isOpen) output.Write(","u8);
        else Open(output);
        // Without the last separator: whether another document follows is not known yet.
        output.Write(documents[..^1]);
    }

    public void End(IBufferWriter<byte> output)
    {
        if (!isOpen) Open(output);
        output.Write("]"u8);
    }

    private void Open(IBufferWriter<byte> output)
    {
        output.Write(before);
        output.Write("["u8);
        isOpen = true;
    }
}
