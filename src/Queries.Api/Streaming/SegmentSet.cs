namespace ApexShop.Queries.Api.Streaming;

/// <summary>
/// All segments of a resource at one moment. The epoch is part of what they are: in a schema that was rebuilt the same
/// versions mean other documents.
/// </summary>
internal sealed record SegmentSet(long Epoch, IReadOnlyList<Segment> Segments)
{
    public static readonly SegmentSet Nothing = new(0, []);

    public bool Is(SegmentVersions versions)
    {
        if (Epoch != versions.Epoch || Segments.Count != versions.Segments.Count) return false;
        for (var i = 0; i < Segments.Count; i++)
        {
            if (Segments[i].Number != versions.Segments[i].Number || Segments[i].Version != versions.Segments[i].Version) return false;
        }

        return true;
    }

    /// <summary>By their numbers, for telling which of them still hold.</summary>
    public Dictionary<int, Segment> Of(long epoch) =>
        epoch == Epoch ? Segments.ToDictionary(segment => segment.Number) : [];
}
