namespace ApexShop.Queries.Api.Streaming;

/// <summary>The segments of a resource as the database has them at one moment, in the order of ids.</summary>
internal sealed record SegmentVersions(long Epoch, IReadOnlyList<SegmentVersion> Segments)
{
    public long Documents { get; } = Segments.Sum(segment => (long)segment.Count);
}

/// <summary>Its version is another one whenever a document of it changes, appears or goes, never one it had before.</summary>
internal readonly record struct SegmentVersion(int Number, long Version, int Count);
