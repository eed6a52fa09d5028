using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Projecting;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Aggregates that something was refused of. The last event says all there is to know, so one that can be applied ends
/// the parking. If it cannot, all events are applied in their order as they were before: the document shows the last
/// state that could be applied, and what followed is parked.
/// </summary>
internal sealed class ParkedRetry(EventLogClient log, Projections projections, EventApplier application)
{
    /// <summary>Gives those that stay parked; they are in the tables when the round has run.</summary>
    public async Task<HashSet<(string Resource, int Id)>> TryAsync(
        StatementBatch statements, IReadOnlySet<(string Resource, int Id)> suspects, LatestEvents latest, CancellationToken ct)
    {
        var (invalidations, parked) = (new Invalidations(), new HashSet<(string, int)>());
        foreach (var (resource, id) in suspects.Order())
        {
            // Not in the log: it was parked in tables that are of another one.
            if (!latest.Of(resource).ContainsKey(id)) continue;
            var history = await log.HistoryAsync(resource, id, ct);
            if (history.Count > 0 && !await ApplyAsync(statements, resource, history, invalidations, ct)) parked.Add((resource, id));
        }

        invalidations.RaiseSegments(statements, latest.Position);
        await statements.RunAsync(ct);
        return parked;
    }

    private async Task<bool> ApplyAsync(
        StatementBatch statements, string resource, IReadOnlyList<LogEntry> history, Invalidations invalidations, CancellationToken ct)
    {
        var readings = history.Select(entry => DecodedEvent.Decode(entry, projections[resource])).ToList();
        var attempt = await application.ApplyAsync(statements, resource, readings[^1..], new HashSet<int>(), invalidations, oneByOne: true, ct);
        if (attempt.Parked.Count == 0) return true;
        await application.ApplyAsync(statements, resource, readings, new HashSet<int>(), invalidations, oneByOne: true, ct);
        return false;
    }
}
