using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>An aggregate to heal; without a change it is not in the log.</summary>
internal sealed record AggregateToHeal(int Id, StateChange? Change);

/// <summary>Heals aggregates of one resource in one transaction.</summary>
internal sealed class HealTransaction(
    StatementBatch statements, string resource, Projections projections, long position)
{
    private readonly Invalidations invalidations = new();
    private readonly List<AggregateHeal> done = [];

    /// <summary>The outcome for each aggregate, by id.</summary>
    public IReadOnlyList<AggregateHeal> Done => [.. done.OrderBy(heal => heal.Id)];

    /// <summary>The tags to raise after the commit.</summary>
    public PendingTags? Pending { get; private set; }

    /// <summary>The aggregates whose last event can be read, or that have none; the others are refused.</summary>
    public List<AggregateToHeal> Read(int[] ids, IReadOnlyDictionary<int, LogEntry> last)
    {
        var known = new List<AggregateToHeal>(ids.Length);
        foreach (var id in ids)
        {
            var reading = last.TryGetValue(id, out var entry)
                ? DecodedEvent.Decode(entry, projections[resource])
                : default;
            if (reading.Fault is { } fault) done.Add(new(resource, id, AggregateHeal.Refused, null, 0, fault));
            else known.Add(new(id, reading.Change));
        }

        return known;
    }

    public async Task RewriteAsync(IReadOnlyCollection<AggregateToHeal> aggregates, CancellationToken ct)
    {
        if (aggregates.Count == 0) return;
        int[] ids = [.. aggregates.Select(aggregate => aggregate.Id)];
        var changes = aggregates.Select(aggregate => aggregate.Change).OfType<StateChange>().ToList();
        await projections.RewriteAsync(statements, resource, ids, changes, invalidations, ct);
        var unparked = await UnparkAsync(ids, ct);
        foreach (var (id, change) in aggregates)
            done.Add(new(resource, id, Outcome(change), change?.State.Version, unparked.GetValueOrDefault(id)));
    }

    /// <summary>Heals one aggregate, or leaves it the same and notes the reason.</summary>
    public async Task TryAsync(AggregateToHeal aggregate, CancellationToken ct)
    {
        var refusal = await statements.TryAsync(() => RewriteAsync([aggregate], ct), ct);
        if (refusal is not null)
            done.Add(new(resource, aggregate.Id, AggregateHeal.Refused, aggregate.Change?.State.Version, 0, refusal));
    }

    /// <summary>Raises the segments, stores the tags and commits; the checkpoints stay the same.</summary>
    public async Task CommitAsync(PendingTags pending, CancellationToken ct) =>
        Pending = await ProjectionState.CommitAsync(statements, invalidations, position, pending, ct);

    // All of them: no parked event is later than the last event, which was read under the lock.
    private async Task<Dictionary<int, int>> UnparkAsync(int[] ids, CancellationToken ct)
    {
        var unparked = new Dictionary<int, int>();
        statements.Add(
            """
            WITH unparked AS (
                DELETE FROM read.parked_events WHERE resource = $1 AND aggregate_id = ANY($2) RETURNING aggregate_id)
            SELECT aggregate_id, count(*)::integer FROM unparked GROUP BY aggregate_id
            """,
            row => unparked.Add(row.GetInt32(0), row.GetInt32(1)),
            Parameter(resource),
            Parameter(ids));
        await statements.RunAsync(ct);
        return unparked;
    }

    private static string Outcome(StateChange? change) => change?.State switch
    {
        null => AggregateHeal.Removed,
        DeletedState => AggregateHeal.Deleted,
        _ => AggregateHeal.Written,
    };
}
