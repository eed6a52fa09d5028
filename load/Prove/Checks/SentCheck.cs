using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class SentCheck
{
    public static IEnumerable<string> Find(History history) =>
        (from unit in history.Units
         where unit.First.Sent is not null && History.OperationOf(unit.First).Effect
             is Effect.Create or Effect.BulkCreate or Effect.Replace or Effect.BulkReplace or Effect.Login
         from wrong in Compare(history, unit)
         select $"{unit.First}: {wrong}").Concat(OfOrders(history));

    /// <summary>An order changes of its products nothing but the stock.</summary>
    private static IEnumerable<string> OfOrders(History history) =>
        from one in history.Log
        where one is { Resource: Kinds.Products, Kind: EventKind.Changed }
        let order = history.AttemptOf(one.Trace)
        where order is not null && History.OperationOf(order).Resource == Kinds.Orders
        let before = Before(history, one)
        where (before with { Stock = one.State.Stock }).Digest != one.State.Digest
        select $"{order}: {one} changes more than the stock";

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
            else if (!IsSent(unit.First, Before(history, one), one, item))
                wrong.Add($"{one} has other values than were sent");
        }

        foreach (var saved in Unchanged(unit, events))
        {
            if (history.EventAt(saved) is not { } one || history.IsRewritten(one)) continue;
            if (ItemOf(unit.First, one, 0, items) is { } item
                && !IsSent(unit.First, one.State, one, item))
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

    // Of a new aggregate, and where the log begins later, what the event has itself.
    private static AggregateState Before(History history, LogEvent one) =>
        history.EventAt(new(one.Resource, one.Aggregate, one.Version - 1))?.State ?? one.State;

    // What was not sent stays. Movements of a stock have a check of their own.
    private static bool IsSent(Attempt attempt, AggregateState before, LogEvent one, JsonElement item)
    {
        var state = before with { Stock = one.State.Stock };
        // What is optional and was not sent is removed, but by a change of some values.
        if (History.OperationOf(attempt).Verb is not ("patch" or "stock" or "login"))
            state = state with { Slug = "", Phone = "", Tracking = "" };
        return StateReader.With(state, item).Digest == one.State.Digest;
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
