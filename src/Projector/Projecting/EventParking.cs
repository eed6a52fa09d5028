using System.Buffers;
using ApexShop.Events;
using ApexShop.Projector.Documents;

namespace ApexShop.Projector.Projecting;

/// <summary>
/// Sets aside the events that cannot be applied, and every later one of the same aggregate, so that the rest goes on.
/// </summary>
internal sealed class EventParking(IReadOnlySet<int> before)
{
    // With the position of the first event that is parked: what was before it is as good as any other.
    private readonly Dictionary<int, long> aggregates = before.ToDictionary(id => id, _ => 0L);
    private readonly List<(LogEntry Entry, string Reason)> parked = [];

    public IReadOnlyList<(LogEntry Entry, string Reason)> Parked => parked;

    public void Park(LogEntry entry, string reason)
    {
        aggregates.TryAdd(entry.AggregateId, entry.Position);
        // The reason may quote the data, and PostgreSQL has no text with this character.
        parked.Add((entry, reason.Replace('\0', ' ')));
    }

    /// <summary>Parks the entry when an earlier one of its aggregate is parked.</summary>
    public bool Follows(LogEntry entry)
    {
        if (!aggregates.TryGetValue(entry.AggregateId, out var first) || entry.Position < first) return false;
        parked.Add((entry, "An earlier event of the same aggregate is parked."));
        return true;
    }

    /// <summary>The changes that can be read, of aggregates without a parked event; the others are parked.</summary>
    public List<StateChange> Sort(IReadOnlyList<DecodedEvent> events)
    {
        var changes = new List<StateChange>(events.Count);
        foreach (var (entry, change, fault) in events)
        {
            if (Follows(entry)) continue;
            if (change is not null) changes.Add(change);
            else Park(entry, fault!);
        }

        return changes;
    }

    /// <summary>The entries of these that are not parked.</summary>
    public IEnumerable<LogEntry> Applied(IReadOnlyList<DecodedEvent> events)
    {
        var left = parked.Select(one => one.Entry.Position).ToHashSet();
        return events.Select(reading => reading.Entry).Where(entry => !left.Contains(entry.Position));
    }

    public void Save(StatementBatch statements)
    {
        foreach (var (entry, reason) in parked)
        {
            var json = new ArrayBufferWriter<byte>();
            CloudEvents.Write(json, entry);
            statements.Add(
                """
                INSERT INTO read.parked_events (position, resource, aggregate_id, reason, event)
                VALUES ($1, $2, $3, $4, $5) ON CONFLICT (position) DO NOTHING
                """,
                StatementBatch.Parameter(entry.Position),
                StatementBatch.Parameter(entry.Resource),
                StatementBatch.Parameter(entry.AggregateId),
                StatementBatch.Parameter(reason),
                StatementBatch.Parameter(json.WrittenSpan.ToArray()));
        }
    }
}
