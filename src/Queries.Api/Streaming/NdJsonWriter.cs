using System.Buffers;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>A document a line.</summary>
internal sealed class NdJsonWriter : IDocumentWriter
{
    public byte Separator => (byte)'\n';

    public SegmentForm Kept => SegmentForm.Lines;

    public void Write(ReadOnlySpan<byte> documents, IBufferWriter<byte> output) => output.Write(documents);

    public void End(IBufferWriter<byte> output)
    {
    }
}
