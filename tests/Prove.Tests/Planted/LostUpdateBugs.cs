using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests.Planted;

/// <summary>Changes that write what was read before another change, and so bring its earlier values back.</summary>
internal static class LostUpdateBugs
{
    private const string Check = "commands.content";

    public static IEnumerable<PlantedBug> All =>
    [
        new(Check, "a patch of a product loses the change before it", history => Lose(history, "products.patch")),
        new(Check, "a patch of an order loses the change before it", history => Lose(history, "orders.patch")),
        new(Check, "a change of the stock loses the change before it", history => Lose(history, "products.stock")),
        new(Check, "a replacement changes the product of a review", history => Edit(
            history, "reviews.replace", Kinds.Reviews, state => state with { ProductId = state.ProductId + 1 })),
        new(Check, "a login changes the name of a user", history => Edit(
            history, "users.login", Kinds.Users, state => state with { Last = "earlier" })),
        new(Check, "an order brings an earlier name of a product back", history => Edit(
            history, "orders.create", Kinds.Products, state => state with { Name = "earlier" })),
        new(Check, "a cancelled order brings an earlier price of a product back", history => Edit(
            history, "orders.patch", Kinds.Products, state => state with { Amount = state.Amount + 1 })),
    ];

    /// <summary>An event with what its command sent, of the row as it was one change earlier.</summary>
    private static History Lose(History history, string operation)
    {
        var (lost, state) = (
            from one in EventsOf(history, operation)
            let earlier = history.EventAt(new(one.Resource, one.Aggregate, one.Version - 2))
            where one.Resource == Histories.History.OperationOf(history.AttemptOf(one.Trace)!).Resource
                && earlier is not null
            let written = StateReader.With(
                earlier.State with { Stock = one.State.Stock },
                JsonElement.Parse(history.AttemptOf(one.Trace)!.Sent!))
            where written.Digest != one.State.Digest
            select (one, written)).First();
        return history.Replace(lost, lost with { State = state });
    }

    private static History Edit(
        History history, string operation, string resource, Func<AggregateState, AggregateState> edit)
    {
        var one = EventsOf(history, operation).First(one => one.Resource == resource);
        return history.Replace(one, one with { State = edit(one.State) });
    }

    private static IEnumerable<LogEvent> EventsOf(History history, string operation) => history.Log.Where(one =>
        !history.IsRewritten(one) && one.Kind == EventKind.Changed
        && history.AttemptOf(one.Trace) is { Outcome: Outcome.Acknowledged, Replayed: false } attempt
        && attempt.Operation == operation);
}
