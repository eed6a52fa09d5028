using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class SentCheck
{
    public static IEnumerable<string> Find(History history) =>
        from unit in history.Units
        where unit.First.Sent is not null && History.OperationOf(unit.First).Effect
            is Effect.Create or Effect.BulkCreate or Effect.Replace or Effect.BulkReplace
        from wrong in Compare(history, unit)
        select $"{unit.First}: {wrong}";

    private static List<string> Compare(History history, CommandUnit unit)
    {
        using var sent = JsonDocument.Parse(unit.First.Sent!);
        var body = sent.RootElement;
        List<JsonElement> items = body.ValueKind == JsonValueKind.Array ? [.. body.EnumerateArray()] : [body];
        var events = unit.OwnEvents(history);
        var wrong = new List<string>();
        foreach (var (number, one) in events.Index())
        {
            // The values that an erasure replaced are not in the log.
            if (history.IsRewritten(one)) continue;
            if (ItemOf(unit.First, one, number, items) is not { } item) wrong.Add($"{one} is of no item that was sent");
            else if (!IsSent(unit.First, one, item))
                wrong.Add($"{one} has other values than were sent");
        }

        foreach (var saved in Unchanged(unit, events))
        {
            if (history.EventAt(saved) is not { } one || history.IsRewritten(one)) continue;
            if (ItemOf(unit.First, one, 0, items) is { } item
                && !IsSent(unit.First, one, item))
                wrong.Add($"{one} has other values than were sent later, and no event has these");
        }

        return wrong;
    }

    // What a change was acknowledged of without an event, because it has the values that were sent already.
    private static IEnumerable<Saved> Unchanged(CommandUnit unit, List<LogEvent> events) =>
        History.OperationOf(unit.First).Effect is Effect.Replace or Effect.BulkReplace
            ? (unit.Acknowledged?.Saved ?? []).Where(saved =>
                !events.Exists(one => (one.Resource, one.Aggregate) == (saved.Resource, saved.Id)))
            : [];

    private static bool IsSent(Attempt attempt, LogEvent one, JsonElement item)
    {
        // What is optional and was not sent is removed, but by a patch.
        var isWhole = !attempt.Operation.EndsWith("patch", StringComparison.Ordinal)
            && !attempt.Operation.EndsWith("stock", StringComparison.Ordinal);
        var before = isWhole ? one.State with { Slug = "", Phone = "", Tracking = "" } : one.State;
        return StateReader.With(before, item).Digest == one.State.Digest;
    }

    // A list of new aggregates has no ids: its events are in its order.
    private static JsonElement? ItemOf(Attempt attempt, LogEvent one, int number, List<JsonElement> items) =>
        History.OperationOf(attempt).Effect switch
        {
            Effect.BulkReplace => items.Cast<JsonElement?>()
                .FirstOrDefault(item => item!.Value.GetProperty("id").GetInt32() == one.Aggregate),
            Effect.Replace when one.Aggregate != attempt.Asked[0] => null,
            _ => number < items.Count ? items[number] : null,
        };
}
