using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Projecting;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Retries aggregates with a refused event. The last event has the whole state: if it can be applied, nothing of the
/// aggregate is parked any more. If not, all its events are applied in order, so that the document shows the last state
/// that could be applied, and the events after it are parked.
/// </summary>
internal sealed class ParkedRetry(EventLogClient log, Projections projections)
{
    public async Task TryAsync(StatementBatch statements, long position, CancellationToken ct)
    {
        var invalidations = new Invalidations(hasTags: false);
        foreach (var (resource, id) in await StagedSuspects.ReadAsync(statements, ct))
        {
            // Without a last event it was parked in tables of another log.
            if ((await log.LastAsync(resource, [id], position, ct)).GetValueOrDefault(id) is not { } last) continue;
            ExpectedTotals.Add(statements, resource, [DecodedEvent.Decode(last, projections[resource])]);
            var isParked = await ApplyAsync(statements, resource, [last], isParked: false, invalidations, ct);
            if (isParked) await ApplyHistoryAsync(statements, last, invalidations, ct);
        }

        invalidations.RaiseSegments(statements, position);
    }

    // Only some events are in memory: an aggregate may have very many.
    private async Task ApplyHistoryAsync(
        StatementBatch statements, LogEntry last, Invalidations invalidations, CancellationToken ct)
    {
        var (after, isParked) = (0L, false);
        while (after < last.Position)
        {
            var entries = await log.HistoryAsync(last.Resource, last.AggregateId, after, ct);
            if (entries.Count == 0) throw new EventLogException("The event log was read without its last events.");
            isParked = await ApplyAsync(statements, last.Resource, entries, isParked, invalidations, ct);
            after = entries[^1].Position;
        }
    }

    // Whether the aggregate is parked after the events, of which there is at least one.
    private async Task<bool> ApplyAsync(
        StatementBatch statements,
        string resource,
        IReadOnlyList<LogEntry> entries,
        bool isParked,
        Invalidations invalidations,
        CancellationToken ct)
    {
        var events = entries.Select(entry => DecodedEvent.Decode(entry, projections[resource])).ToList();
        HashSet<int> parked = isParked ? [entries[0].AggregateId] : [];
        var writer = new ProjectionWriter(statements, projections);
        EventParking? parking = null;
        // Together first, as all events are applied: each state has those before it.
        if (await statements.TryAsync(() => AttemptAsync(oneByOne: false), ct) is not null)
        {
            await AttemptAsync(oneByOne: true);
            // Otherwise the statements of all its parked events would be in memory at the end.
            await statements.RunAsync(ct);
        }

        return parking!.Parked.Count > 0 || (isParked && !parking.Erased.Any());

        async Task AttemptAsync(bool oneByOne) => parking = await EventApplier.ApplyAsync(
            writer, resource, events, parked, invalidations, oneByOne, ct);
    }
}
