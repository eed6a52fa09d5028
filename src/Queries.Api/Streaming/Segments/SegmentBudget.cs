namespace ApexShop.Queries.Api.Streaming.Segments;

/// <summary>
/// Counts the bytes of all segments that a cache or a stream uses. So slow streams, whose segments were replaced long
/// ago, take no memory beyond the limit for all of them together.
/// </summary>
internal sealed class SegmentBudget(long most)
{
    private readonly Lock gate = new();
    private readonly List<SegmentCache> caches = [];
    private long taken;

    public long Most => most;

    public long Taken
    {
        get { lock (gate) return taken; }
    }

    /// <summary>Marks a cache as used; the least recently used one is the first to be emptied.</summary>
    public void Touch(SegmentCache cache)
    {
        lock (gate)
        {
            if (caches.Count > 0 && caches[^1] == cache) return;
            caches.Remove(cache);
            caches.Add(cache);
        }
    }

    /// <summary>Adds a use if the segment fits, emptying other caches if necessary.</summary>
    public bool TryAdd(Segment segment, SegmentCache cache)
    {
        while (!TryAdd(segment))
        {
            if (LeastRecentlyUsed(cache) is not { } other) return false;
            other.Empty();
        }

        return true;
    }

    /// <summary>Adds a use of segments that are in use, or were until very recently.</summary>
    public SegmentLease Lease(SegmentSet set)
    {
        lock (gate)
        {
            foreach (var segment in set.Segments)
            {
                if (segment.Uses++ == 0) taken += segment.Size;
            }
        }

        return new SegmentLease(set, this);
    }

    public void Release(IEnumerable<Segment> segments)
    {
        lock (gate)
        {
            foreach (var segment in segments)
            {
                if (--segment.Uses == 0) taken -= segment.Size;
            }
        }
    }

    private bool TryAdd(Segment segment)
    {
        lock (gate)
        {
            if (segment.Uses == 0 && taken + segment.Size > most) return false;
            if (segment.Uses++ == 0) taken += segment.Size;
            return true;
        }
    }

    private SegmentCache? LeastRecentlyUsed(SegmentCache except)
    {
        lock (gate)
        {
            var index = caches.FindIndex(cache => cache != except);
            if (index < 0) return null;
            var least = caches[index];
            caches.RemoveAt(index);
            return least;
        }
    }
}

/// <summary>The segments that a stream sends; the budget counts them until the lease is disposed of.</summary>
internal sealed class SegmentLease(SegmentSet set, SegmentBudget budget) : IDisposable
{
    public SegmentSet Set => set;

    public void Dispose() => budget.Release(set.Segments);
}
