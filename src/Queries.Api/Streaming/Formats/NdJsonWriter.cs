using System.Buffers;

namespace ApexShop.Queries.Api.Streaming.Formats;

/// <summary>One document a line.</summary>
internal sealed class NdJsonWriter : IDocumentWriter
{
    public byte Separator => (byte)'\n';

    public void Write(ReadOnlySpan<byte> documents, IBufferWriter<byte> output) => output.Write(documents);

    public void End(IBufferWriter<byte> output)
    {
    }
}
