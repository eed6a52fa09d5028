using System.Buffers;
using ApexShop.Events;
using ApexShop.Projector.Documents;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Projecting;

/// <summary>
/// Parks the events that cannot be applied, and every later event of the same aggregate, so that all others are
/// applied. The erasure of a user replaces what is parked.
/// </summary>
internal sealed class EventParking(IReadOnlySet<int> parkedBefore)
{
    /// <summary>
    /// Those of some aggregates that have parked events. One of them may have millions: only the first is read, by the
    /// order of the index, whatever the planner expects.
    /// </summary>
    public const string AggregatesSql = """
        SELECT wanted.id FROM unnest($2) AS wanted (id) CROSS JOIN LATERAL (
            SELECT resource, aggregate_id FROM read.parked_events
            WHERE (resource, aggregate_id) >= ($1, wanted.id)
            ORDER BY resource, aggregate_id LIMIT 1) AS following
        WHERE following.resource = $1 AND following.aggregate_id = wanted.id
        """;

    // By aggregate, the position of its first parked event: the events before it are applied.
    private readonly Dictionary<int, long> aggregates = parkedBefore.ToDictionary(id => id, _ => 0L);
    private readonly List<(LogEntry Entry, string Reason)> parked = [];
    private readonly List<LogEntry> erasures = [];

    public IReadOnlyList<(LogEntry Entry, string Reason)> Parked => parked;

    /// <summary>The aggregates whose earlier parked events an erasure has replaced.</summary>
    public IEnumerable<(string Resource, int Id)> Erased => erasures.Select(one => (one.Resource, one.AggregateId));

    public void Park(LogEntry entry, string reason)
    {
        // Applied one by one, an earlier event than the first parked one may be refused too.
        if (!aggregates.TryGetValue(entry.AggregateId, out var first) || entry.Position < first)
            aggregates[entry.AggregateId] = entry.Position;
        // The reason may quote the data, and PostgreSQL's text cannot contain this character.
        parked.Add((entry, reason.Replace('\0', ' ')));
    }

    /// <summary>Parks the entry when an earlier one of its aggregate is parked.</summary>
    public bool ParkIfFollowing(LogEntry entry)
    {
        if (entry.Type == EventTypes.UserErased) Replace(entry);
        if (!aggregates.TryGetValue(entry.AggregateId, out var first) || entry.Position < first) return false;
        parked.Add((entry, "An earlier event of the same aggregate is parked."));
        return true;
    }

    /// <summary>The changes of aggregates without a parked event; the other events are parked.</summary>
    public List<StateChange> TakeApplicable(IReadOnlyList<DecodedEvent> events)
    {
        var changes = new List<StateChange>(events.Count);
        foreach (var (entry, change, fault) in events)
        {
            if (ParkIfFollowing(entry)) continue;
            if (change is not null) changes.Add(change);
            else Park(entry, fault!);
        }

        return changes;
    }

    /// <summary>The times of these events, without those that are parked.</summary>
    public DateTimeOffset[] TimesApplied(IReadOnlyList<DecodedEvent> events)
    {
        var positions = parked.Select(one => one.Entry.Position).ToHashSet();
        return
        [
            .. events.Select(decoded => decoded.Entry).Where(entry => !positions.Contains(entry.Position))
                .Select(entry => entry.Time),
        ];
    }

    public void Save(StatementBatch statements)
    {
        foreach (var erasure in erasures)
        {
            statements.Add(
                "DELETE FROM read.parked_events WHERE resource = $1 AND aggregate_id = $2 AND position < $3",
                Parameter(erasure.Resource), Parameter(erasure.AggregateId), Parameter(erasure.Position));
        }

        foreach (var (entry, reason) in parked)
        {
            var json = new ArrayBufferWriter<byte>();
            CloudEvents.Write(json, entry);
            statements.Add(
                """
                INSERT INTO read.parked_events (position, resource, aggregate_id, reason, event)
                VALUES ($1, $2, $3, $4, $5) ON CONFLICT (position) DO NOTHING
                """,
                Parameter(entry.Position),
                Parameter(entry.Resource),
                Parameter(entry.AggregateId),
                Parameter(reason),
                Parameter(json.WrittenSpan.ToArray()));
        }
    }

    // The earlier parked events have the person. The state of the erasure is whole, so none of them is needed. Later
    // ones stay: applied one by one, an erasure is read after all events were sorted.
    private void Replace(LogEntry erasure)
    {
        var id = erasure.AggregateId;
        if (aggregates.TryGetValue(id, out var first) && first < erasure.Position) aggregates.Remove(id);
        parked.RemoveAll(one => one.Entry.AggregateId == id && one.Entry.Position < erasure.Position);
        if (!erasures.Contains(erasure)) erasures.Add(erasure);
    }
}
