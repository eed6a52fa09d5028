namespace ApexShop.Queries.Api.Streaming;

/// <summary>Segments that a stream has in its hands until all of them are sent.</summary>
internal sealed class HeldSegments : IDisposable
{
    private readonly SegmentSet set;
    private readonly SegmentBudget budget;

    public HeldSegments(SegmentSet set, SegmentBudget budget)
    {
        (this.set, this.budget) = (set, budget);
        budget.Hold(set.Segments);
    }

    /// <summary>The bytes of the first so many documents.</summary>
    public List<ReadOnlyMemory<byte>> First(int documents)
    {
        var pieces = new List<ReadOnlyMemory<byte>>(set.Segments.Count);
        foreach (var segment in set.Segments)
        {
            var count = Math.Min(documents, segment.Count);
            if (count > 0) pieces.Add(segment.First(count));
            documents -= count;
        }

        return pieces;
    }

    public void Dispose() => budget.Release(set.Segments);
}
