using System.Runtime.CompilerServices;
using System.Text;
using ApexShop.Queries.Api.Compression;
using ApexShop.Queries.Api.Streaming.Formats;

namespace ApexShop.Queries.Api.Streaming.Segments;

/// <summary>Compresses segments in one format, and makes a body of them.</summary>
internal sealed class CompressedSegments
{
    private readonly SegmentFormat format;
    private readonly PartCompressor compressor;
    private readonly BodyPart open;
    private readonly BodyPart separator;
    private readonly BodyPart close;

    // The responses of an unchanged collection have one list and one checksum.
    private readonly ConditionalWeakTable<SegmentSet, CompressedCollection> bodies = [];

    public CompressedSegments(SegmentFormat format, PartCompressor compressor)
    {
        (this.format, this.compressor) = (format, compressor);
        open = Compress(format.Open);
        separator = format.IsMessagePack ? default : compressor.Compress([format.Separator]);
        close = Compress(format.Close);
    }

    /// <summary>The segment without the separator before its first document.</summary>
    public Segment Compress(Segment segment)
    {
        var plain = segment.Part.Bytes;
        if (plain.IsEmpty) return segment;
        var part = compressor.Compress(format.Separated(plain.Span[format.BytesBefore..]));
        return new Segment(segment.Version, part, []) { Count = segment.Count };
    }

    /// <summary>All segments as one body.</summary>
    public CompressedCollection Body(SegmentSet set) => bodies.GetValue(set, Join);

    private CompressedCollection Join(SegmentSet set)
    {
        var parts = new List<BodyPart>((set.Segments.Count * 2) + 1);
        foreach (var segment in set.Segments.Where(segment => segment.Part.Length > 0))
        {
            parts.Add(parts.Count == 0 ? open : separator);
            parts.Add(segment.Part);
        }

        parts.Add(close);
        var isWorthwhile = parts.Sum(part => part.Length) >= ContentCoding.LeastBytes;
        return new([compressor.Begin, .. parts.Select(part => part.Bytes), compressor.End(parts)], isWorthwhile);
    }

    private BodyPart Compress(string text) =>
        text.Length == 0 ? default : compressor.Compress(Encoding.UTF8.GetBytes(text));
}

/// <summary>A whole collection, compressed.</summary>
/// <param name="Pieces">One after the other they are the body.</param>
/// <param name="IsWorthwhile">Whether it is long enough to be sent compressed.</param>
internal sealed record CompressedCollection(IReadOnlyList<ReadOnlyMemory<byte>> Pieces, bool IsWorthwhile)
{
    public long Length { get; } = Pieces.Sum(piece => (long)piece.Length);
}
