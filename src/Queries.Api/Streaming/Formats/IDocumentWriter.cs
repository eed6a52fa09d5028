using System.Buffers;

namespace ApexShop.Queries.Api.Streaming.Formats;

/// <summary>Writes the documents of one stream in a format.</summary>
internal interface IDocumentWriter
{
    /// <summary>The byte after each document in the input of <see cref="Write"/>.</summary>
    byte Separator { get; }

    void Write(ReadOnlySpan<byte> documents, IBufferWriter<byte> output);

    void End(IBufferWriter<byte> output);
}
