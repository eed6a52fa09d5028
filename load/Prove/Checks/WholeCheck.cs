using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class WholeCheck
{
    public static IEnumerable<string> Find(History history) =>
        from unit in history.Units
        where unit.Acknowledged is null && unit.Attempts.Any(attempt => attempt.Outcome == Outcome.Unknown)
        let events = unit.OwnEvents(history)
        where events.Count > 0
        let wrong = Part(history, unit.First, events)
        where wrong is not null
        select $"{unit.First}: {wrong}";

    private static string? Part(History history, Attempt attempt, List<LogEvent> events)
    {
        var effect = History.OperationOf(attempt).Effect;
        if (effect == Effect.Select) return null;
        if (effect == Effect.BulkDelete)
        {
            var end = events[^1].Position;
            // An id without any event belongs to no aggregate; all others must be gone after the last of the deletions.
            var left = attempt.Asked.Where(id => history.LastOf(events[0].Resource, id) is { } last
                && !(last.Kind == EventKind.Deleted && last.Position <= end)).ToList();
            return left.Count == 0 ? null : $"{events.Count} deletions, and {left[0]} is left";
        }

        var whole = attempt.Changes ? events.Count == attempt.Count : events.Count <= attempt.Count;
        if (events.DistinctBy(one => one.Aggregate).Count() != events.Count) return "an aggregate was changed twice";
        return whole ? null : $"{events.Count} events for {attempt.Count} items";
    }
}
