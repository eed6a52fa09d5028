using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests.Planted;

/// <summary>Bugs of the sequencer and of the constraints.</summary>
internal static class LogBugs
{
    public static IEnumerable<PlantedBug> All =>
    [
        new("log.positions", "a position is missing", history =>
            history.With(log: history.Log.Where((_, i) => i != 50))),
        new("log.positions", "a position is given twice", history =>
            history.Replace(history.Log[50], history.Log[50] with { Position = history.Log[49].Position })),
        new("log.positions", "two positions are exchanged", history => history
            .Replace(history.Log[50], history.Log[50] with { Position = history.Log[51].Position })),
        new("log.positions", "an event is in the log twice", history =>
            history.InsertAfter(history.Log[50], history.Log[50])),
        new("log.positions", "an event has another log identity", history =>
            history.Replace(history.Log[50], history.Log[50] with { LogId = "other" })),
        new("log.previous", "previous is the position of another resource", history =>
            history.Replace(Later(history), Later(history) with { Previous = Later(history).Position - 1 })),
        new("log.previous", "previous skips an event", history =>
            history.Replace(Later(history), Later(history) with { Previous = 0 })),
        new("log.versions", "a version is skipped", history =>
            history.Replace(Changed(history), Changed(history) with { Version = Changed(history).Version + 1 })),
        new("log.versions", "a version is given twice", history =>
            history.Replace(Changed(history), Changed(history) with { Version = Changed(history).Version - 1 })),
        new("log.versions", "a deleted aggregate changes", history => history.InsertAfter(
            history.Log.First(one => one.Kind == EventKind.Deleted),
            history.Log.First(one => one.Kind == EventKind.Deleted) with { Id = "x", Type = "apexshop.x.updated" })),
        new("log.versions", "an aggregate is created twice", history => history.Replace(
            Changed(history), Changed(history) with { Type = Changed(history).Type.Replace("updated", "created") })),
        new("log.origin", "an event has the trace id of no request", history =>
            history.Replace(Changed(history), Changed(history) with { Trace = new string('f', 32) })),
        new("log.origin", "an event has the trace id of another command", history => history.Replace(
            Changed(history), Changed(history) with { Trace = Of(history, "users.create").Trace })),
        new("log.real-time", "two changes are in the wrong order", history =>
            history.Swap(
                Only(history, history.Log.First(one => IsAnswered(history, one))),
                Only(history, history.Log.Last(one => IsAnswered(history, one))))),
        new("log.references", "a product is in a category that does not exist", history => history.Replace(
            Changed(history), Changed(history) with { State = Changed(history).State with { CategoryId = 987_654 } })),
        new("log.references", "a product that is not active is ordered", history =>
        {
            var order = history.Log.First(one => one.Resource == Kinds.Orders && one.Kind == EventKind.Created);
            var product = history.Log.Last(one => one.Resource == Kinds.Products && one.Position < order.Position
                && one.Aggregate == order.State.Lines[0].ProductId);
            return history.Replace(product, product with { State = product.State with { IsActive = false } });
        }),
        new("log.references", "two users have one e-mail address", history =>
        {
            var users = history.Log.Where(one => one.Type == "apexshop.user.created").ToList();
            var (last, other) = (users[^1], users[^2]);
            return history.Replace(last, last with { State = last.State with { Name = other.State.Name } });
        }),
        new("log.references", "two products have one slug", history =>
        {
            var products = history.Log.Where(one =>
                one is { Type: "apexshop.product.created", State.Slug.Length: > 0 }).ToList();
            var (last, other) = (products[^1], products[^2]);
            return history.Replace(last, last with { State = last.State with { Slug = other.State.Slug } });
        }),
        new("log.references", "a user has reviewed a product twice", history =>
        {
            var review = history.Log.Last(one => one.Type.EndsWith("review.created", StringComparison.Ordinal)
                && history.LastOf(one.Resource, one.Aggregate)!.Kind != EventKind.Deleted);
            return history.InsertAfter(review, review with { Id = "x", Aggregate = 987_654 });
        }),
        new("log.references", "a category with products is deleted", history =>
        {
            var product = history.Log.Last(one => one.Type.EndsWith("product.created", StringComparison.Ordinal));
            return history.InsertAfter(product, product with
            {
                Id = "x", Resource = Kinds.Categories, Type = "apexshop.category.deleted",
                Aggregate = product.State.CategoryId,
            });
        }),
        new("log.orders", "an order is delivered before it is shipped", history =>
            EditOrder(history, "status-changed", state => state with { Status = "Delivered" })),
        new("log.orders", "an order costs more than its items", history =>
            EditOrder(history, "placed", state => state with { Amount = state.Amount + 0.01m })),
        new("log.orders", "an order loses an item", history =>
            EditOrder(history, "status-changed", state => state with { Lines = [] })),
        new("log.orders", "an order sells for another price", history =>
            EditOrder(history, "placed", state => state with
            {
                Amount = state.Amount + state.Lines[0].Quantity,
                Lines = [state.Lines[0] with { UnitPrice = state.Lines[0].UnitPrice + 1 }, .. state.Lines.Skip(1)],
            })),
    ];

    /// <summary>An acknowledged attempt of an operation.</summary>
    public static Attempt Of(History history, string operation) => history.Attempts.First(
        attempt => attempt.Operation == operation && attempt.Outcome == Outcome.Acknowledged && !attempt.Replayed
            && history.OwnEventsOf(attempt).Any());

    private static LogEvent Changed(History history) =>
        history.Log.First(one => one.Type == "apexshop.product.updated" && one.Version > 2);

    private static LogEvent Later(History history) => history.Log.First(
        one => one.Previous > 0 && history.Log[(int)one.Position - 2].Resource != one.Resource);

    private static LogEvent Only(History history, LogEvent one) => history.Log[(int)one.Position - 1];

    // Alone in its command and in its aggregate, so that the exchange is consistent otherwise.
    private static bool IsAnswered(History history, LogEvent one) => one.Kind == EventKind.Created
        && history.AttemptOf(one.Trace) is { Outcome: Outcome.Acknowledged, Count: 1 };

    private static History EditOrder(History history, string type, Func<AggregateState, AggregateState> edit)
    {
        var order = history.Log.First(one => one.Type == $"apexshop.order.{type}" && one.State.Status != "Shipped");
        return history.Replace(order, order with { State = edit(order.State) });
    }
}
