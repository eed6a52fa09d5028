using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;

namespace ApexShop.Queries.Api.Compression;

/// <summary>
/// Compresses parts of a body one by one, so that each can be kept: <see cref="Begin"/>, then any parts, then
/// <see cref="End"/> are one compressed body. A part refers to no other part.
/// </summary>
internal abstract class PartCompressor
{
    /// <summary>What precedes the first part.</summary>
    public abstract ReadOnlyMemory<byte> Begin { get; }

    public abstract BodyPart Compress(ReadOnlySpan<byte> part);

    /// <summary>What follows the last part.</summary>
    public abstract ReadOnlyMemory<byte> End(IEnumerable<BodyPart> parts);
}

/// <summary>A part of a body.</summary>
/// <param name="Bytes">As they are sent.</param>
/// <param name="Length">How many they are before they are compressed.</param>
/// <param name="Checksum">Of the bytes before they are compressed, if the coding has one.</param>
internal readonly record struct BodyPart(ReadOnlyMemory<byte> Bytes, long Length, uint Checksum = 0);

/// <summary>
/// A flushed encoder has written whole meta-blocks (RFC 7932, section 9.2). Qualities 0 and 1 use neither the built-in
/// dictionary nor distances of an earlier meta-block, so such blocks mean the same after any others.
/// </summary>
internal sealed class BrotliParts : PartCompressor
{
    private const int WindowBits = 22;
    private const int LongestHeader = 16;

    // The end of each meta-block of at most 16 MB, and the flush, take a few bytes each.
    private const int Overhead = 64;

    private static readonly byte[] lastEmptyBlock = [3];

    public override ReadOnlyMemory<byte> Begin { get; } = Header();

    public override BodyPart Compress(ReadOnlySpan<byte> part)
    {
        var encoder = new BrotliEncoder(BrotliCompressor.Quality, WindowBits);
        var length = BrotliEncoder.GetMaxCompressedLength(part.Length) + LongestHeader + Overhead;
        var output = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            // The first flush writes the header of the body, which is Begin.
            Check(encoder.Flush(output, out _));
            Check(encoder.Compress(part, output, out _, out var written, isFinalBlock: false));
            Check(encoder.Flush(output.AsSpan(written), out var flushed));
            return new BodyPart(output.AsSpan(0, written + flushed).ToArray(), part.Length);
        }
        finally
        {
            encoder.Dispose();
            ArrayPool<byte>.Shared.Return(output);
        }
    }

    public override ReadOnlyMemory<byte> End(IEnumerable<BodyPart> parts) => lastEmptyBlock;

    private static byte[] Header()
    {
        using var encoder = new BrotliEncoder(BrotliCompressor.Quality, WindowBits);
        var header = new byte[LongestHeader];
        Check(encoder.Flush(header, out var length));
        return header[..length];
    }

    private static void Check(OperationStatus status)
    {
        if (status != OperationStatus.Done) throw new InvalidOperationException($"Brotli ended with {status}.");
    }
}

/// <summary>A flushed encoder has written whole blocks of deflate (RFC 1951), and its end has the checksum.</summary>
internal sealed class GzipParts : PartCompressor
{
    private const int HeaderBytes = 10;
    private const int TrailerBytes = 8;

    private static readonly GzipCompressor compressor = new();

    // RFC 1952, section 2.3: deflate, without options, of an unknown system.
    public override ReadOnlyMemory<byte> Begin { get; } = new byte[] { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff };

    public override BodyPart Compress(ReadOnlySpan<byte> part)
    {
        // An encoder without input writes nothing at all.
        if (part.IsEmpty) return default;
        using var output = new MemoryStream((part.Length / 2) + TrailerBytes);
        var end = 0;
        using (var encoder = compressor.Open(output))
        {
            encoder.Write(part);
            encoder.Flush();
            end = (int)output.Length;
        }

        var whole = output.GetBuffer().AsSpan(0, (int)output.Length);
        var checksum = BinaryPrimitives.ReadUInt32LittleEndian(whole[^TrailerBytes..]);
        return new BodyPart(whole[HeaderBytes..end].ToArray(), part.Length, checksum);
    }

    public override ReadOnlyMemory<byte> End(IEnumerable<BodyPart> parts)
    {
        var (length, checksum) = (0L, 0u);
        foreach (var part in parts)
        {
            checksum = GzipChecksum.Combine(checksum, part.Checksum, part.Length);
            length += part.Length;
        }

        // An empty last block, the checksum, and the length modulo 2^32.
        byte[] end = [3, 0, .. stackalloc byte[TrailerBytes]];
        BinaryPrimitives.WriteUInt32LittleEndian(end.AsSpan(2), checksum);
        BinaryPrimitives.WriteUInt32LittleEndian(end.AsSpan(6), (uint)length);
        return end;
    }
}
