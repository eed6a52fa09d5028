namespace ApexShop.Commands.Api.Events;

/// <summary>
/// The last events of the log, so many of them. Positions have no gaps, so an event's place in the ring is its position.
/// Whoever is further behind than the ring reaches has to read the log: nobody waits for him.
/// </summary>
internal sealed class TailBuffer(int capacity)
{
    private readonly Lock gate = new();
    private readonly TailEntry[] ring = new TailEntry[capacity];
    private long start;
    private long last;

    public int Capacity => capacity;

    /// <summary>The position up to which the log was looked at.</summary>
    public long Last
    {
        get { lock (gate) return last; }
    }

    /// <summary>Forgets all events and goes on after a position.</summary>
    public void Reset(long position)
    {
        lock (gate)
        {
            (start, last) = (position, position);
            Array.Clear(ring);
        }
    }

    public void Append(IEnumerable<TailEntry> entries)
    {
        lock (gate)
        {
            foreach (var entry in entries)
            {
                if (entry.Entry.Position != last + 1) throw new InvalidOperationException($"Position {entry.Entry.Position} does not follow {last}.");
                last = entry.Entry.Position;
                ring[last % capacity] = entry;
            }

            start = Math.Max(start, last - capacity);
        }
    }

    /// <summary>Adds the events after a position to a list, at most so many; false when some of them are not here any more.</summary>
    public bool TryRead(long after, int most, List<TailEntry> entries)
    {
        lock (gate)
        {
            if (after < start) return false;
            for (var position = after + 1; position <= last && entries.Count < most; position++) entries.Add(ring[position % capacity]);
            return true;
        }
    }
}
