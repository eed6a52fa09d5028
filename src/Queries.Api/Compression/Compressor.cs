using System.IO.Compression;

namespace ApexShop.Queries.Api.Compression;

/// <summary>
/// One way to make bytes fewer. The levels are where documents stop to shrink noticeably and time begins to grow: a
/// page comes to a quarter of its bytes, a stream to a fifth.
/// </summary>
internal abstract class Compressor
{
    /// <summary>A stream that codes what is written to it; each flush lets out what was written, and goes on from there.</summary>
    public abstract Stream Open(Stream output);

    public byte[] Compress(ReadOnlyMemory<byte> body)
    {
        using var output = new MemoryStream(body.Length / 2);
        using (var input = Open(output)) input.Write(body.Span);
        return output.ToArray();
    }
}

internal sealed class BrotliCompressor : Compressor
{
    private static readonly BrotliCompressionOptions options = new() { Quality = 1 };

    public override Stream Open(Stream output) => new BrotliStream(output, options, leaveOpen: true);
}

internal sealed class GzipCompressor : Compressor
{
    private static readonly ZLibCompressionOptions options = new() { CompressionLevel = 2 };

    public override Stream Open(Stream output) => new GZipStream(output, options, leaveOpen: true);
}
