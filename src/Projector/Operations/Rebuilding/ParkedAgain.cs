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
internal sealed class ParkedAgain(EventLogClient log, Projections projections, EventApplication application)
{
    /// <summary>Gives those that stay parked; they are in the tables when the round has run.</summary>
    public async Task<HashSet<(string Resource, int Id)>> TryAsync(
        Round round, IReadOnlySet<(string Resource, int Id)> suspects, LogEnds ends, CancellationToken ct)
    {
        var (touched, parked) = (new Touched(), new HashSet<(string, int)>());
        foreach (var (resource, id) in suspects.Order())
        {
            // Not in the log: it was parked in tables that are of another one.
            if (!ends.Of(resource).ContainsKey(id)) continue;
            var history = await log.HistoryAsync(resource, id, ct);
            if (history.Count > 0 && !await ApplyAsync(round, resource, history, touched, ct)) parked.Add((resource, id));
        }

        touched.RaiseSegments(round, ends.Position);
        await round.RunAsync(ct);
        return parked;
    }

    private async Task<bool> ApplyAsync(
        Round round, string resource, IReadOnlyList<LogEntry> history, Touched touched, CancellationToken ct)
    {
        var readings = history.Select(entry => Reading.Of(entry, projections[resource])).ToList();
        var attempt = await application.ApplyAsync(round, resource, readings[^1..], new HashSet<int>(), touched, oneByOne: true, ct);
        if (attempt.Parked.Count == 0) return true;
        await application.ApplyAsync(round, resource, readings, new HashSet<int>(), touched, oneByOne: true, ct);
        return false;
    }
}
