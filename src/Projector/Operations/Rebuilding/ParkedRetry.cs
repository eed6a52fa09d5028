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
        var invalidations = new Invalidations();
        foreach (var (resource, id) in await StagedSuspects.ReadAsync(statements, ct))
        {
            var history = await log.HistoryAsync(resource, id, ct);
            // Without a history it was parked in tables of another log.
            if (history.Count > 0) await ApplyAsync(statements, resource, history, invalidations, ct);
        }

        invalidations.RaiseSegments(statements, position);
    }

    private async Task ApplyAsync(
        StatementBatch statements,
        string resource,
        IReadOnlyList<LogEntry> history,
        Invalidations invalidations,
        CancellationToken ct)
    {
        var events = history.Select(entry => DecodedEvent.Decode(entry, projections[resource])).ToList();
        ExpectedTotals.Add(statements, resource, events[^1..]);
        var writer = new ProjectionWriter(statements, projections);
        var attempt = await EventApplier.ApplyAsync(
            writer, resource, events[^1..], new HashSet<int>(), invalidations, oneByOne: true, ct);
        if (attempt.Parked.Count == 0) return;
        await EventApplier.ApplyAsync(
            writer, resource, events, new HashSet<int>(), invalidations, oneByOne: true, ct);
    }
}
