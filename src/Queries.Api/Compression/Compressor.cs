using System.IO.Compression;

namespace ApexShop.Queries.Api.Compression;

/// <summary>
/// A compression algorithm. Higher levels would take much more time and save few bytes of documents; these levels
/// compress a page to a quarter and a stream to a fifth of its bytes.
/// </summary>
internal abstract class Compressor
{
    /// <summary>A stream that compresses what is written to it; each flush sends what was written so far.</summary>
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
    public const int Quality = 1;

    private static readonly BrotliCompressionOptions options = new() { Quality = Quality };

    public override Stream Open(Stream output) => new BrotliStream(output, options, leaveOpen: true);
}

internal sealed class GzipCompressor : Compressor
{
    private static readonly ZLibCompressionOptions options = new() { CompressionLevel = 2 };

    public override Stream Open(Stream output) => new GZipStream(output, options, leaveOpen: true);
}
