namespace ApexShop.Queries.Api.Streaming;

/// <summary>
/// Counts the bytes of all segments that a shelf or a stream still has, so that streams which clients read slowly, and
/// whose segments have long been replaced, take no memory beyond what is allowed for all of them together.
/// </summary>
internal sealed class SegmentBudget(long most)
{
    private readonly Lock gate = new();
    private readonly List<SegmentShelf> shelves = [];
    private long taken;

    public long Most => most;

    public long Taken
    {
        get { lock (gate) return taken; }
    }

    /// <summary>The shelf was asked for; the one that was not for the longest time is the first to make room.</summary>
    public void Use(SegmentShelf shelf)
    {
        lock (gate)
        {
            if (shelves.Count > 0 && shelves[^1] == shelf) return;
            shelves.Remove(shelf);
            shelves.Add(shelf);
        }
    }

    /// <summary>Whether there is room for it, made by emptying other shelves if need be.</summary>
    public bool TryHold(Segment segment, SegmentShelf shelf)
    {
        while (!TryHold(segment))
        {
            if (LeastUsed(shelf) is not { } other) return false;
            other.Empty();
        }

        return true;
    }

    /// <summary>Holds what is held already, or was until a moment ago.</summary>
    public void Hold(IEnumerable<Segment> segments)
    {
        lock (gate)
        {
            foreach (var segment in segments)
            {
                if (segment.Holders++ == 0) taken += segment.Size;
            }
        }
    }

    public void Release(IEnumerable<Segment> segments)
    {
        lock (gate)
        {
            foreach (var segment in segments)
            {
                if (--segment.Holders == 0) taken -= segment.Size;
            }
        }
    }

    private bool TryHold(Segment segment)
    {
        lock (gate)
        {
            if (segment.Holders == 0 && taken + segment.Size > most) return false;
            if (segment.Holders++ == 0) taken += segment.Size;
            return true;
        }
    }

    private SegmentShelf? LeastUsed(SegmentShelf but)
    {
        lock (gate)
        {
            var index = shelves.FindIndex(shelf => shelf != but);
            if (index < 0) return null;
            var least = shelves[index];
            shelves.RemoveAt(index);
            return least;
        }
    }
}
