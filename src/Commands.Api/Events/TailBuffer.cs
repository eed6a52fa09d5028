namespace ApexShop.Commands.Api.Events;

/// <summary>
/// A ring buffer of the last events of the log, bounded by their number and bytes. Positions have no gaps, so an
/// event's position determines its index. A follower that is further behind than the buffer has to read the log; no
/// writer waits for it.
/// </summary>
internal sealed class TailBuffer(int capacity, long mostBytes)
{
    public const long MostBytes = 32 << 20;

    private readonly Lock gate = new();
    private readonly LiveEvent?[] ring = new LiveEvent?[capacity];
    private long bytes;
    private long start;
    private long last;
    private string? logId;

    public int Capacity => capacity;

    /// <summary>The position up to which the log was read.</summary>
    public long Last
    {
        get { lock (gate) return last; }
    }

    /// <summary>The identity of the log; null while it was not read.</summary>
    public string? LogId
    {
        get { lock (gate) return logId; }
    }

    /// <summary>Removes all events and continues after a position.</summary>
    public void Reset(LogHead head)
    {
        lock (gate)
        {
            (start, last, logId, bytes) = (head.Position, head.Position, head.LogId, 0);
            Array.Clear(ring);
        }
    }

    public void Append(IEnumerable<LiveEvent> events)
    {
        lock (gate)
        {
            foreach (var live in events)
            {
                var position = live.Entry.Position;
                if (position != last + 1)
                    throw new InvalidOperationException($"Position {position} does not follow {last}.");
                if (last - start == capacity) RemoveFirst();
                last = position;
                ring[last % capacity] = live;
                bytes += live.Size;
                while (bytes > mostBytes) RemoveFirst();
            }
        }
    }

    /// <summary>
    /// Adds up to <paramref name="max"/> events after a position, up to the one that reaches
    /// <paramref name="maxBytes"/>; false when some are missing.
    /// </summary>
    public bool TryRead(long after, int max, long maxBytes, List<LiveEvent> events)
    {
        lock (gate)
        {
            if (after < start) return false;
            for (var position = after + 1; position <= last && events.Count < max && maxBytes > 0; position++)
            {
                var live = ring[position % capacity]!;
                events.Add(live);
                maxBytes -= live.Size;
            }

            return true;
        }
    }

    private void RemoveFirst()
    {
        start++;
        bytes -= ring[start % capacity]!.Size;
        ring[start % capacity] = null;
    }
}
