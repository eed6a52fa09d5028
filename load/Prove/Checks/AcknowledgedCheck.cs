using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class AcknowledgedCheck
{
    public static IEnumerable<string> Find(History history) =>
        from unit in history.Units
        let answer = unit.Acknowledged
        where answer is not null
        let wrong = Compare(history, answer, unit.OwnEvents(history))
        where wrong is not null
        select $"{answer}: {wrong}";

    private static string? Compare(History history, Attempt answer, List<LogEvent> events) =>
        History.OperationOf(answer).Effect switch
        {
            Effect.Create or Effect.BulkCreate => Same(answer, events, answer.Count),
            Effect.Delete => events.Count == 1 && events[0].Aggregate == answer.Asked[0]
                ? null
                : $"{events.Count} deletions of {answer.Asked[0]}",
            Effect.BulkDelete => events.Count == answer.Counted
                && events.TrueForAll(one => answer.Asked.Contains(one.Aggregate))
                ? null
                : $"{events.Count} deletions, the answer has {answer.Counted}",
            Effect.Login => events.Count == 1 && events[0].Aggregate == answer.Asked[0]
                ? null
                : $"{events.Count} changes of user {answer.Asked[0]}",
            Effect.Erase => Erased(history, answer.Asked[0], events),
            Effect.Select => events.Count == answer.Counted
                ? null
                : $"{events.Count} changes, the answer has {answer.Counted}",
            _ => Replaced(history, answer, events),
        };

    // A user who is erased or deleted already has no other event.
    private static string? Erased(History history, int user, List<LogEvent> events)
    {
        if (events.Count == 1 && events[0].IsErasure && events[0].Aggregate == user) return null;
        var isDone = history.ErasureOf(user) is not null
            || history.LastOf(Kinds.Users, user) is { Kind: EventKind.Deleted };
        return events.Count == 0 && isDone ? null : $"{events.Count} erasures of user {user}";
    }

    private static string? Same(Attempt answer, List<LogEvent> events, int count)
    {
        if (answer.Saved.Count != count) return $"{answer.Saved.Count} ids for {count} items";
        if (events.Count != count) return $"{events.Count} events instead of {count}";
        var written = events.Select(one => new Saved(one.Resource, one.Aggregate, one.Version)).ToHashSet();
        return written.SetEquals(answer.Saved) ? null : "the events are of other ids or versions";
    }

    private static string? Replaced(History history, Attempt answer, List<LogEvent> events)
    {
        if (answer.Changes) return Same(answer, events, answer.Count);
        // An item with the current values has no event, and its version is one that was written before.
        if (events.Exists(one => !answer.Saved.Contains(new(one.Resource, one.Aggregate, one.Version))))
            return "the events are of other ids or versions";
        if (events.Count > answer.Count) return $"{events.Count} events for {answer.Count} items";
        var missing = answer.Saved.Where(saved => history.EventAt(saved) is null).ToList();
        return missing.Count == 0 ? null : $"version {missing[0].Version} of {missing[0].Id} was never written";
    }
}
