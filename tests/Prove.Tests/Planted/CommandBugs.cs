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
            Edit(history, "products.bulk-stock", attempt => attempt with { Counted = attempt.Counted + 1 })),
        new("commands.acknowledged", "a deletion of a list reports another number", history =>
            Edit(history, "reviews.bulk-delete", attempt => attempt with { Counted = attempt.Counted - 1 })),
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
        new("commands.refused", "a refused creation is done", history => Edit(
            history, "products.create", attempt => attempt with { Outcome = Outcome.Refused, Status = 409, Saved = [] })),
        new("commands.refused", "a refused change is done", history => Edit(
            history, "products.replace", attempt => attempt with { Outcome = Outcome.Refused, Status = 412, Saved = [] })),
        new("commands.if-match", "an old version is accepted", history =>
        {
            var one = history.Attempts.First(attempt => attempt.IfMatch > 1 && history.OwnEventsOf(attempt).Any());
            return history.Replace(one, one with { IfMatch = one.IfMatch - 1 });
        }),
        new("commands.if-match", "the current version is refused", history =>
        {
            var one = history.Attempts.First(attempt => attempt.Status == 412 && attempt.IfMatch is not null);
            return history.Replace(one, one with { Current = one.IfMatch });
        }),
        new("commands.idempotency", "a repeated key is executed again", history =>
        {
            var repeat = Repeat(history);
            var first = history.Attempts.First(attempt => attempt.Key == repeat.Key && history.EventsOf(attempt.Trace).Any());
            var one = history.OwnEventsOf(first).First();
            return history.InsertAfter(one, one with { Id = "x", Aggregate = 987_654, Trace = repeat.Trace });
        }),
        new("commands.idempotency", "a repeated key has another answer", history =>
            history.Replace(Repeat(history), Repeat(history) with { Answer = 1 })),
        new("commands.idempotency", "a repeated key is refused", history =>
            history.Replace(Repeat(history), Repeat(history) with { Outcome = Outcome.Refused, Status = 409, Code = "x" })),
        new("commands.idempotency", "a key is accepted for another request", history =>
        {
            var other = history.Attempts.First(attempt => attempt.Code == "idempotency.key_reused");
            return history.Replace(other, other with { Outcome = Outcome.Acknowledged, Status = 200, Code = null });
        }),
    ];

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
