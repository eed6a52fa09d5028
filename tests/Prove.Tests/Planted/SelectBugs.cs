using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests.Planted;

/// <summary>Bugs of the commands that select rows by a condition.</summary>
internal static class SelectBugs
{
    private const string Check = "commands.selections";
    private const string Orders = "orders.delete-old";
    private const string Reviews = "reviews.delete-old";
    private const string Users = "users.deactivate-inactive";
    private const string Stocks = "products.bulk-stock";

    public static IEnumerable<PlantedBug> All =>
    [
        new(Check, "a deletion by age deletes a review that is too young", history =>
            Edit(history, Reviews, attempt => attempt with { Path = Older(attempt.Path) })),
        new(Check, "a deletion by age deletes an order that was delivered too late", history =>
            Edit(history, Orders, attempt => attempt with { Path = Older(attempt.Path) })),
        new(Check, "a deletion by age deletes an order that is not delivered", history =>
            EditBefore(history, Orders, state => state with { Status = "Shipped" })),
        new(Check, "a deletion by age deletes a review of another product", history =>
            EditBefore(history, Reviews, state => state with { ProductId = AddedRead.NoId })),
        new(Check, "a deletion by age leaves out an old review", history => LeaveOut(history, Reviews)),
        new(Check, "a deletion by age leaves out an old order", history => LeaveOut(history, Orders)),
        new(Check, "a stock changes in another category", history => Edit(history, Stocks, attempt => attempt with
        {
            Sent = attempt.Sent!.Replace(
                $"\"categoryId\":{JsonElement.Parse(attempt.Sent).GetProperty("categoryId")}",
                $"\"categoryId\":{AddedRead.NoId}", StringComparison.Ordinal),
        })),
        new(Check, "a stock of a category changes a price", history =>
            EditEvent(history, Stocks, state => state with { Amount = state.Amount + 1 })),
        new(Check, "a stock of a category leaves out a product", history => LeaveOut(history, Stocks)),
        new(Check, "a user who logged in lately is deactivated", history => EditBefore(
            history, Users, state => state with { LoggedIn = history.Header.Began })),
        new(Check, "a user with a new order is deactivated", history =>
        {
            var (command, one) = Place(history, Users);
            var order = history.Log.First(order => order.Resource == Kinds.Orders && order.Kind == EventKind.Created
                && order.State.Created > history.Header.Began
                && history.LastOf(Kinds.Orders, order.Aggregate)!.Kind != EventKind.Deleted
                && history.AttemptOf(order.Trace) is { Outcome: Outcome.Acknowledged } placing
                && placing.End < command.Start);
            return history.Replace(order, order with { State = order.State with { UserId = one.Aggregate } });
        }),
        new(Check, "a user is deactivated and renamed", history =>
            EditEvent(history, Users, state => state with { Last = "other" })),
        new(Check, "a deactivation leaves out a user", history => LeaveOut(history, Users)),
    ];

    private static string Older(string path) => $"{path.Split('=')[0]}=9999";

    /// <summary>A command of one attempt with an event, whose aggregate no other command changed meanwhile.</summary>
    private static (Attempt Command, LogEvent Event) Place(History history, string operation) => (
        from attempt in history.Attempts
        where attempt.Operation == operation && attempt is { Outcome: Outcome.Acknowledged, Replayed: false }
        from one in history.OwnEventsOf(attempt)
        let times = history.Times.Of(one.Resource, one.Aggregate)
        let own = times.First(time => ReferenceEquals(time.Event, one))
        let before = times.First(time => time.Event?.Version == one.Version - 1)
        where before.Latest < attempt.Start && own.Next > attempt.End
        select (attempt, one)).First();

    private static History Edit(History history, string operation, Func<Attempt, Attempt> edit)
    {
        var (command, _) = Place(history, operation);
        return history.Replace(command, edit(command));
    }

    private static History EditEvent(History history, string operation, Func<AggregateState, AggregateState> edit)
    {
        var (_, one) = Place(history, operation);
        return history.Replace(one, one with { State = edit(one.State) });
    }

    private static History EditBefore(History history, string operation, Func<AggregateState, AggregateState> edit)
    {
        var (_, one) = Place(history, operation);
        var before = history.EventAt(new(one.Resource, one.Aggregate, one.Version - 1))!;
        return history.Replace(before, before with { State = edit(before.State) });
    }

    private static History LeaveOut(History history, string operation) =>
        history.Without(Place(history, operation).Event);
}
