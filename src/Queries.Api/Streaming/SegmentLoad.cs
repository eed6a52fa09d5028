namespace ApexShop.Queries.Api.Streaming;

/// <summary>Makes the next set of a shelf out of the segments that still hold and those that are read.</summary>
internal sealed class SegmentLoad(SegmentShelf shelf, SegmentBudget budget, Func<SegmentVersion, byte[], Segment> encode)
{
    // A group is read by one statement; when memory runs out, no more than the rest of it is read in vain.
    private const int GroupBytes = 4 * 1024 * 1024;

    private readonly List<Segment> held = [];

    /// <summary>The set, held once; null if there is no room for it.</summary>
    public async Task<SegmentSet?> RunAsync(SegmentSnapshot snapshot, SegmentSet old)
    {
        var wanted = snapshot.Versions.Segments;
        var before = old.Of(snapshot.Versions.Epoch);
        var kept = wanted.Select(one => before.GetValueOrDefault(one.Number) is { } segment && segment.Version == one.Version ? segment : null).ToArray();
        var isComplete = false;
        try
        {
            isComplete = kept.OfType<Segment>().All(TryHold) && await ReadAsync(snapshot, kept);
            return isComplete ? new SegmentSet(snapshot.Versions.Epoch, kept!) : null;
        }
        finally
        {
            if (!isComplete) budget.Release(held);
        }
    }

    private async Task<bool> ReadAsync(SegmentSnapshot snapshot, Segment?[] kept)
    {
        var missing = Enumerable.Range(0, kept.Length).Where(place => kept[place] is null).ToList();
        while (missing.Count > 0)
        {
            if (!shelf.MayHold(snapshot.Versions)) return false;
            var group = missing[..Math.Min(missing.Count, SegmentsInGroup(snapshot.Versions))];
            missing.RemoveRange(0, group.Count);
            var places = group.GetEnumerator();
            await foreach (var lines in snapshot.LoadAsync([.. group.Select(place => snapshot.Versions.Segments[place].Number)]))
            {
                places.MoveNext();
                var segment = encode(snapshot.Versions.Segments[places.Current], lines);
                if (!TryHold(segment)) return false;
                shelf.Learn(segment);
                kept[places.Current] = segment;
            }
        }

        return true;
    }

    // Before anything is known of a resource one segment tells how large its documents are.
    private int SegmentsInGroup(SegmentVersions versions) => shelf.DocumentBytes is var bytes and > 0
        ? (int)Math.Clamp(GroupBytes / (bytes * Math.Max(1, versions.Documents / versions.Segments.Count)), 1, 64)
        : 1;

    private bool TryHold(Segment segment)
    {
        if (!budget.TryHold(segment, shelf)) return false;
        held.Add(segment);
        return true;
    }
}
