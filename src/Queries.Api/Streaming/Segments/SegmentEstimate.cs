namespace ApexShop.Queries.Api.Streaming.Segments;

/// <summary>
/// The average size of a collection's encoded documents. It shows whether the collection fits into memory before it is
/// read. A collection that did not fit is not read again, so its average then comes from a sample, and from another one
/// when the collection has changed: its documents may have become smaller.
/// </summary>
internal sealed class SegmentEstimate(long mostBytes)
{
    // One statement reads a group; when memory runs out, at most the rest of the group was read for nothing.
    private const int GroupBytes = 4 * 1024 * 1024;

    private const int SampledSegments = 8;

    // 0 before any document was read.
    private double documentBytes;

    // Of the collection when the sample was taken.
    private HashSet<SegmentVersion>? sampled;

    public bool MayFit(SegmentVersions versions) => versions.Documents * documentBytes <= mostBytes;

    /// <summary>Whether so many segments have changed since the last sample that a new one may differ.</summary>
    public bool IsSampleNeeded(SegmentVersions versions) =>
        sampled is not { } known
        || versions.Segments.Count(one => !known.Contains(one)) * SampledSegments >= known.Count;

    /// <summary>Some segments from all parts of the collection.</summary>
    public static SegmentVersion[] Sample(SegmentVersions versions)
    {
        var step = Math.Max(1, (versions.Segments.Count + SampledSegments - 1) / SampledSegments);
        return [.. versions.Segments.Where((_, index) => index % step == 0)];
    }

    /// <summary>Replaces the average by that of a sample.</summary>
    public void Replace(SegmentVersions versions, IReadOnlyCollection<Segment> sample)
    {
        sampled = [.. versions.Segments];
        var documents = sample.Sum(segment => segment.Count);
        if (documents > 0) documentBytes = (double)sample.Sum(segment => segment.Size) / documents;
    }

    /// <summary>Lets a segment that was read change the average a little.</summary>
    public void Add(Segment segment)
    {
        if (segment.Count == 0) return;
        var bytes = (double)segment.Size / segment.Count;
        documentBytes = documentBytes == 0 ? bytes : (documentBytes * 7 + bytes) / 8;
    }

    /// <summary>The first group is one segment, which shows how large the documents are.</summary>
    public int SegmentsInGroup(SegmentVersions versions)
    {
        if (documentBytes == 0) return 1;
        var documents = Math.Max(1, versions.Documents / versions.Segments.Count);
        return (int)Math.Clamp(GroupBytes / (documentBytes * documents), 1, 64);
    }
}
