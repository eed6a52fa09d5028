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
internal sealed class ParkedRetry(EventLogClient log, Projections projections, EventApplier applier)
{
    /// <summary>Gives the aggregates that stay parked.</summary>
    public async Task<HashSet<(string Resource, int Id)>> TryAsync(
        StatementBatch statements,
        IReadOnlySet<(string Resource, int Id)> suspects,
        long position,
        CancellationToken ct)
    {
        var (invalidations, parked) = (new Invalidations(), new HashSet<(string, int)>());
        foreach (var (resource, id) in suspects.Order())
        {
            // Without a history it was parked in tables of another log.
            var history = await log.HistoryAsync(resource, id, ct);
            if (history.Count > 0 && !await ApplyAsync(statements, resource, history, invalidations, ct))
                parked.Add((resource, id));
        }

        invalidations.RaiseSegments(statements, position);
        await statements.RunAsync(ct);
        return parked;
    }

    private async Task<bool> ApplyAsync(
        StatementBatch statements,
        string resource,
        IReadOnlyList<LogEntry> history,
        Invalidations invalidations,
        CancellationToken ct)
    {
        var events = history.Select(entry => DecodedEvent.Decode(entry, projections[resource])).ToList();
        ExpectedTotals.Add(statements, resource, events[^1..]);
        var attempt = await applier.ApplyAsync(
            statements, resource, events[^1..], new HashSet<int>(), invalidations, oneByOne: true, ct);
        if (attempt.Parked.Count == 0) return true;
        await applier.ApplyAsync(
            statements, resource, events, new HashSet<int>(), invalidations, oneByOne: true, ct);
        return false;
    }
}
