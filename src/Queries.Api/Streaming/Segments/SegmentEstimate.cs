namespace ApexShop.Queries.Api.Streaming.Segments;

/// <summary>
/// The average size of a collection's encoded documents. It shows whether the collection fits into memory before it is
/// read. A collection that did not fit is not read again, so its average then comes from the sizes of a sample, and of
/// another one when the collection has changed: its documents may have become smaller.
/// </summary>
internal sealed class SegmentEstimate(long mostBytes)
{
    // One statement reads a group; when memory runs out, at most the rest of the group was read for nothing.
    private const int GroupBytes = 4 * 1024 * 1024;

    private const int SampledSegments = 8;

    // A line break, and where the document ends in its segment.
    private const int OverheadOfDocument = 1 + sizeof(int);

    // 0 before any document was read.
    private double documentBytes;

    // Of all segments that were read: their bytes in the database and as they are kept.
    private long storedBytes;
    private long encodedBytes;

    // The collection when the sample was taken.
    private HashSet<SegmentVersion>? sampled;
    private long sampledEpoch;

    public bool MayFit(SegmentVersions versions) => MayFit(versions, default);

    /// <summary>The same when some of the documents were read.</summary>
    public bool MayFit(SegmentVersions versions, SegmentSizes read) => Total(versions, read) <= mostBytes;

    /// <summary>
    /// Whether so many segments have changed since the last sample that a new one may differ. After a rebuild of the
    /// schema the same versions mean other documents.
    /// </summary>
    public bool IsSampleNeeded(SegmentVersions versions) =>
        sampled is not { } known || versions.Epoch != sampledEpoch
        || versions.Segments.Count(one => !known.Contains(one)) * SampledSegments >= known.Count;

    /// <summary>Some segments from all parts of the collection.</summary>
    public static int[] Sample(SegmentVersions versions)
    {
        var step = Math.Max(1, (versions.Segments.Count + SampledSegments - 1) / SampledSegments);
        return [.. versions.Segments.Where((_, index) => index % step == 0).Select(segment => segment.Number)];
    }

    /// <summary>Adds a segment to those whose bytes show how much smaller the encoding is.</summary>
    public void Measure(int stored, int encoded) =>
        (storedBytes, encodedBytes) = (storedBytes + stored, encodedBytes + encoded);

    /// <summary>Replaces the average by that of a sample, whose sizes are those in the database.</summary>
    public void Replace(SegmentVersions versions, SegmentSizes sample)
    {
        (sampled, sampledEpoch) = ([.. versions.Segments], versions.Epoch);
        if (sample.Documents > 0) documentBytes = sample.Bytes * Share / sample.Documents + OverheadOfDocument;
    }

    /// <summary>
    /// Replaces the average by that of the segments in memory, and of the others as they were estimated: an average of
    /// those that were read would depend on which of them changed last.
    /// </summary>
    public void Adjust(SegmentVersions versions, SegmentSizes read)
    {
        if (versions.Documents > 0) documentBytes = Total(versions, read) / versions.Documents;
    }

    /// <summary>The first group is one segment, which shows how large the documents are.</summary>
    public int SegmentsInGroup(SegmentVersions versions, SegmentSizes read)
    {
        if (Average(read) is not (> 0 and var average)) return 1;
        var documents = Math.Max(1, versions.Documents / versions.Segments.Count);
        return (int)Math.Clamp(GroupBytes * Share / (average * documents), 1, 64);
    }

    private double Share => storedBytes == 0 ? 1 : (double)encodedBytes / storedBytes;

    private double Total(SegmentVersions versions, SegmentSizes read) =>
        read.Bytes + Math.Max(0, versions.Documents - read.Documents) * Average(read);

    private double Average(SegmentSizes read) =>
        documentBytes > 0 || read.Documents == 0 ? documentBytes : (double)read.Bytes / read.Documents;
}
