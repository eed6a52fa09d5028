using System.Runtime.InteropServices;
using ApexShop.Queries.Api.Compression;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Streaming.Formats;
using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Streaming.Segments;

/// <summary>
/// The segments of a resource at one point in time, in the order of ids. The epoch is part of their identity: after a
/// rebuild of the schema the same versions mean other documents.
/// </summary>
internal sealed record SegmentSet(long Epoch, IReadOnlyList<Segment> Segments)
{
    public static readonly SegmentSet Empty = new(0, []);

    /// <summary>A text that is equal for equal documents only: for ETags.</summary>
    public string Hash => field ??= EntityTags.HashOf(MemoryMarshal.AsBytes<long>(
        [Epoch, .. Segments.SelectMany(segment => (long[])[segment.Version.Number, segment.Version.Version])]));

    public long Documents => Segments.Sum(segment => (long)segment.Count);

    public bool Has(SegmentVersions versions) =>
        Epoch == versions.Epoch && Segments.Select(segment => segment.Version).SequenceEqual(versions.Segments);

    /// <summary>The segment at a version, if the set has it.</summary>
    public Dictionary<SegmentVersion, Segment> ByVersion(long epoch) =>
        epoch == Epoch ? Segments.ToDictionary(segment => segment.Version) : [];

    /// <summary>The bytes of the first documents.</summary>
    public List<ReadOnlyMemory<byte>> First(int documents)
    {
        var pieces = new List<ReadOnlyMemory<byte>>(Segments.Count);
        foreach (var segment in Segments)
        {
            var count = Math.Min(documents, segment.Count);
            if (count > 0) pieces.Add(segment.First(count));
            documents -= count;
        }

        return pieces;
    }
}

/// <summary>
/// The living documents of <see cref="ReadTables.SegmentSize"/> consecutive ids at one version, encoded as they are
/// sent.
/// </summary>
/// <param name="version">Number and version of the segment.</param>
/// <param name="part">The encoded documents.</param>
/// <param name="ends">Where each document ends; empty when they are compressed.</param>
internal sealed class Segment(SegmentVersion version, BodyPart part, int[] ends)
{
    // The objects themselves and their references in lists.
    private const int Overhead = 200;

    public SegmentVersion Version => version;

    public int Count { get; init; } = ends.Length;

    public BodyPart Part => part;

    public long Size { get; } = Overhead + part.Bytes.Length + (sizeof(int) * ends.Length);

    /// <summary>How many caches and streams use it; <see cref="SegmentBudget"/> counts them.</summary>
    public int Uses { get; set; }

    /// <summary>Makes a segment of documents as they are stored, with a line break before each.</summary>
    public static Segment Encode(SegmentVersion version, byte[] lines, bool isMessagePack)
    {
        var ends = new List<int>(version.Count);
        if (!isMessagePack)
        {
            for (var end = 0; end < lines.Length; ends.Add(end)) end = EndOfLine(lines, end);
            return Plain(version, lines, ends);
        }

        using var maps = new PooledBuffer(lines.Length);
        var transcoder = new MessagePackTranscoder();
        for (var start = 0; start < lines.Length; ends.Add(maps.Length))
        {
            var end = EndOfLine(lines, start);
            transcoder.Write(lines.AsSpan((start + 1)..end), maps);
            start = end;
        }

        return Plain(version, maps.Written.ToArray(), ends);
    }

    public ReadOnlyMemory<byte> First(int documents) => part.Bytes[..(documents == 0 ? 0 : ends[documents - 1])];

    private static Segment Plain(SegmentVersion version, byte[] bytes, List<int> ends) =>
        new(version, new BodyPart(bytes, bytes.Length), [.. ends]);

    private static int EndOfLine(byte[] lines, int start)
    {
        var length = lines.AsSpan(start + 1).IndexOf(SegmentFormat.LineBreak);
        return length < 0 ? lines.Length : start + 1 + length;
    }
}

/// <summary>The versions of a resource's segments in the database, in the order of ids.</summary>
internal sealed record SegmentVersions(long Epoch, IReadOnlyList<SegmentVersion> Segments)
{
    public long Documents { get; } = Segments.Sum(segment => (long)segment.Count);
}

/// <summary>The version is a new one whenever a document of the segment is changed, created or deleted.</summary>
internal readonly record struct SegmentVersion(int Number, long Version, int Count);
