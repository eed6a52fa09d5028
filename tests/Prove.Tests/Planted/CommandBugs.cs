using ApexShop.Prove.Histories;
using static ApexShop.Prove.Tests.Planted.LogBugs;

namespace ApexShop.Prove.Tests.Planted;

/// <summary>Bugs of commands: what they answer is not what they did.</summary>
internal static class CommandBugs
{
    public static IEnumerable<PlantedBug> All =>
    [
        new("commands.acknowledged", "an acknowledged creation is lost", history =>
            history.Without(EventOf(history, Of(history, "categories.create")))),
        new("commands.acknowledged", "an acknowledged change is lost", history =>
            history.Without(EventOf(history, Of(history, "products.replace")))),
        new("commands.acknowledged", "an acknowledged deletion is lost", history =>
            history.Without(EventOf(history, Of(history, "reviews.delete")))),
        new("commands.acknowledged", "a creation is done twice", history =>
        {
            var one = EventOf(history, Of(history, "products.create"));
            return history.InsertAfter(one, one with { Id = "x", Aggregate = 987_654 });
        }),
        new("commands.acknowledged", "a change is done twice", history =>
        {
            var one = EventOf(history, Of(history, "products.patch"));
            return history.InsertAfter(one, one with { Id = "x" });
        }),
        new("commands.acknowledged", "the answer has the id of another aggregate", history =>
            Edit(history, "orders.create", attempt => attempt with
                { Saved = [attempt.Saved[0] with { Id = 987_654 }] })),
        new("commands.acknowledged", "the answer has another version", history =>
            Edit(history, "reviews.replace", attempt => attempt with
                { Saved = [attempt.Saved[0] with { Version = attempt.Saved[0].Version + 1 }] })),
        new("commands.acknowledged", "an accepted list is created in part", history =>
            history.Without(EventOf(history, Of(history, "products.bulk-create")))),
        new("commands.acknowledged", "a set-based change reports another number", history =>
            Recount(history, Effect.Select, 1)),
        new("commands.acknowledged", "a deletion of a list reports another number", history =>
            Recount(history, Effect.BulkDelete, -1)),
        new("commands.whole", "a list without an answer is created in part", history =>
        {
            var bulk = Of(history, "products.bulk-create");
            return Open(history, bulk).Without(EventOf(history, bulk));
        }),
        new("commands.whole", "a list without an answer is replaced in part", history =>
        {
            var bulk = history.Attempts.First(attempt => attempt.Operation == "products.bulk-replace"
                && attempt.Outcome == Outcome.Acknowledged && attempt.Count > 1);
            return Open(history, bulk).Without(EventOf(history, bulk));
        }),
        new("commands.whole", "a creation without an answer is done twice", history =>
        {
            var create = Of(history, "products.create");
            var one = EventOf(history, create);
            return Open(history, create).InsertAfter(one, one with { Id = "x", Aggregate = 987_654 });
        }),
        new("commands.content", "a change has another name than was sent", history =>
            Misread(history, "products.replace", state => state with { Name = "other" })),
        new("commands.content", "a change has another phone number than was sent", history =>
            Misread(history, "users.replace", state => state with { Phone = "+420600000000" })),
        new("commands.content", "a creation has another slug than was sent", history =>
            Misread(history, "products.create", state => state with { Slug = "other" })),
        new("commands.content", "a replacement keeps a slug that it does not have", history =>
        {
            var one = EventOf(history, history.Attempts.First(attempt => attempt.Operation == "products.replace"
                && attempt.Sent!.Contains("\"slug\":null", StringComparison.Ordinal)
                && history.OwnEventsOf(attempt).Any()));
            return history.Replace(one, one with { State = one.State with { Slug = "kept" } });
        }),
        new("commands.content", "an order has another tracking number than was sent", history =>
            Misread(history, "orders.replace", state => state with { Tracking = "T0" })),
        new("commands.content", "a change ignores what was sent", history =>
            Misread(history, "reviews.patch", state => state with { Text = "before" })),
        new("commands.content", "an order has another quantity than was sent", history => Misread(
            history, "orders.create", state => state with
                { Lines = [state.Lines[0] with { Quantity = state.Lines[0].Quantity + 1 }, .. state.Lines.Skip(1)] })),
        new("commands.content", "two items of a new list are exchanged", history =>
            Exchange(history, "categories.bulk-create")),
        new("commands.content", "two items of a replaced list are exchanged", history =>
            Exchange(history, "users.bulk-replace")),
        new("commands.content", "a change is acknowledged and not done", history =>
        {
            var done = history.Log.First(one => !history.IsRewritten(one)
                && history.AttemptOf(one.Trace) is
                    { Operation: "orders.patch", Key: null, Outcome: Outcome.Acknowledged });
            var one = history.AttemptOf(done.Trace)!;
            var before = one.Saved[0] with { Version = done.Version - 1 };
            return history.Replace(one, one with { Saved = [before] }).Without(done);
        }),
        new("commands.refused", "a refused creation is done", history => Edit(
            history, "products.create", attempt => Refused(attempt, 409))),
        new("commands.refused", "a refused change is done", history => Edit(
            history, "products.replace", attempt => Refused(attempt, 412))),
        new("commands.if-match", "an old version is accepted", history =>
        {
            var one = history.Attempts.First(attempt => attempt.IfMatch > 1 && history.OwnEventsOf(attempt).Any());
            return history.Replace(one, one with { IfMatch = one.IfMatch - 1 });
        }),
        new("commands.if-match", "an old version of an item is accepted", history =>
        {
            var one = history.Attempts.First(attempt => attempt.Operation == "products.bulk-replace"
                && (attempt.Sent ?? "").Contains("\"version\":1", StringComparison.Ordinal)
                && attempt.Outcome == Outcome.Acknowledged && history.OwnEventsOf(attempt).Any());
            var sent = one.Sent!.Replace("\"version\":1", "\"version\":91", StringComparison.Ordinal);
            return history.Replace(one, one with { Sent = sent });
        }),
        new("commands.if-match", "the current version is refused", history =>
        {
            var one = history.Attempts.First(attempt => attempt.Status == 412 && attempt.IfMatch is not null);
            return history.Replace(one, one with { Current = one.IfMatch });
        }),
        new("commands.idempotency", "a repeated key is executed again", history =>
        {
            var repeat = Repeat(history);
            var first = history.Attempts.First(
                attempt => attempt.Key == repeat.Key && history.EventsOf(attempt.Trace).Any());
            var one = history.OwnEventsOf(first).First();
            return history.InsertAfter(one, one with { Id = "x", Aggregate = 987_654, Trace = repeat.Trace });
        }),
        new("commands.idempotency", "a repeated key has another answer", history =>
            history.Replace(Repeat(history), Repeat(history) with { Answer = 1 })),
        new("commands.idempotency", "a repeated key is refused", history =>
            history.Replace(Repeat(history), Refused(Repeat(history), 409) with { Code = "x" })),
        new("commands.idempotency", "a key is accepted for another request", history =>
        {
            var other = history.Attempts.First(attempt => attempt.Code == "idempotency.key_reused");
            return history.Replace(other, other with { Outcome = Outcome.Acknowledged, Status = 200, Code = null });
        }),
        new("commands.answers", "a command fails with an internal error", history => Refuse(history, 500, "internal")),
        new("commands.answers", "a refusal has no code", history => Refuse(history, 503, null)),
        new("commands.answers", "a refusal has the code of no rule", history => Refuse(history, 409, "data.conflict")),
        new("commands.answers", "a response with success is no JSON", history => Break(history, "body.malformed")),
        new("commands.answers", "an export ends with an internal error", history => Break(history, "internal")),
    ];

    private static Attempt Refused(Attempt attempt, int status) =>
        attempt with { Outcome = Outcome.Refused, Status = status, Saved = [] };

    private static History Refuse(History history, int status, string? code)
    {
        var one = history.Attempts.First(attempt => attempt.Outcome == Outcome.Refused);
        return history.Replace(one, one with { Status = status, Code = code });
    }

    private static History Break(History history, string code)
    {
        var one = history.Reads.First(read => read is { Operation: "products.export", Status: 200 });
        return history.Replace(one, one with { Outcome = Outcome.Unknown, Code = code, Seen = [] });
    }

    private static History Recount(History history, Effect effect, int difference)
    {
        var one = history.Attempts.First(attempt => attempt.Outcome == Outcome.Acknowledged
            && Histories.History.OperationOf(attempt).Effect == effect);
        return history.Replace(one, one with { Counted = one.Counted + difference });
    }

    private static History Misread(History history, string operation, Func<AggregateState, AggregateState> edit)
    {
        var one = history.Log.First(one => !history.IsRewritten(one)
            && history.AttemptOf(one.Trace) is { Outcome: Outcome.Acknowledged } attempt
            && attempt.Operation == operation && one.Resource == Histories.History.OperationOf(attempt).Resource);
        return history.Replace(one, one with { State = edit(one.State) });
    }

    private static History Exchange(History history, string operation)
    {
        var bulk = history.Attempts.First(attempt => attempt.Operation == operation && history.OwnEventsOf(attempt)
            .Take(2).Count(one => !history.IsRewritten(one)) == 2);
        var (one, other) = (history.OwnEventsOf(bulk).First(), history.OwnEventsOf(bulk).ElementAt(1));
        return history.Replace(one, one with { State = other.State }).Replace(other, other with { State = one.State });
    }

    private static LogEvent EventOf(History history, Attempt attempt) => history.OwnEventsOf(attempt).First();

    private static History Edit(History history, string operation, Func<Attempt, Attempt> edit)
    {
        var one = Of(history, operation);
        return history.Replace(one, edit(one));
    }

    /// <summary>As if no answer had arrived for a command.</summary>
    private static History Open(History history, Attempt one) => history.With(
        attempts: history.Attempts.Select(attempt => attempt.Trace == one.Trace
            || (attempt.Key is not null && attempt.Key == one.Key)
                ? attempt with { Outcome = Outcome.Unknown, Status = 0, Saved = [] }
                : attempt));

    private static Attempt Repeat(History history) => history.Attempts.First(
        attempt => attempt.Replayed && attempt.Outcome == Outcome.Acknowledged && attempt.Saved.Count == 1);
}
