using ApexShop.Prove.Histories;
using static ApexShop.Prove.Tests.Planted.AddedRead;

namespace ApexShop.Prove.Tests.Planted;

/// <summary>Bugs of erasures, of logins and of what customers may do.</summary>
internal static class PersonBugs
{
    private const string Logins = "commands.logins";
    private const string Erasures = "log.erasures";

    public static IEnumerable<PlantedBug> All => [.. OfErasures, .. OfCustomers];

    private static IEnumerable<PlantedBug> OfErasures =>
    [
        new(Erasures, "an event keeps the name of an erased user", history =>
            Rewrite(history, EarlierOf(history), state => state with { Last = "Hopper" })),
        new(Erasures, "an event keeps the e-mail address of an erased user", history =>
            Rewrite(history, EarlierOf(history), state => state with { Name = "grace@prove.example" })),
        new(Erasures, "an event keeps the address of an order of an erased user", history =>
            Rewrite(history, OrderOf(history), state => state with { Text = "1 Main Street" })),
        new(Erasures, "a user has the address of another erased user", history =>
            Rewrite(history, ErasureOf(history), state => state with { Name = $"erased-{NoId}@erased.invalid" })),
        new("commands.acknowledged", "an acknowledged erasure is lost", history =>
            history.Without(ErasureOf(history))),
        new("commands.refused", "a refused erasure is done", history => EditWriter(
            history, ErasureOf(history), attempt => attempt with { Outcome = Outcome.Refused, Status = 409 })),
        new("reads.own-writes", "a read with the token of an erasure shows the person", history => history.Append(
            Of("users.document", "/users/1", EarlierOf(history)) with
            {
                Asked = [EarlierOf(history).Aggregate],
                Tokens = [TokenOf(EarlierOf(history)) with { Version = Saved.Erasure }],
            })),
        new("reads.bounded", "a person is shown a minute after the erasure was seen", history => history.Append(
            Of("users.document", "/users/1", ErasureOf(history)),
            OfNumbers("/users?pageSize=5", EarlierOf(history)))),
        new("reads.content", "the values before an erasure are different ones", history => history.Append(
            Of("users.document", "/users/1", WithName(EarlierOf(history), "a@prove.example")),
            Of("users.document", "/users/1", WithName(EarlierOf(history), "b@prove.example")))),
        new("reads.content", "an erased user has a name", history => history.Append(
            Of("users.document", "/users/1", WithName(ErasureOf(history), "a@prove.example")))),
        new("reads.changes", "changes end with a person who is erased", history => history.Append(
            Of("users.changes", "/users/changes?pageSize=9", EarlierOf(history)) with
                { Tokens = [TokenOf(EarlierOf(history)) with { Version = Saved.Erasure }] })),
    ];

    private static IEnumerable<PlantedBug> OfCustomers =>
    [
        new(Logins, "a wrong password is accepted", history =>
            EditLogin(history, login => login with { HasWrongPassword = true })),
        new(Logins, "a login returns the token of another customer", history =>
            EditLogin(history, login => login with { LoggedIn = NoId })),
        new(Logins, "a user who is not active logs in", history => Rewrite(
            history, history.OwnEventsOf(Login(history)).First(), state => state with { IsActive = false })),
        new("commands.answers", "the right password is refused", history => EditLogin(history, login => login with
            { Outcome = Outcome.Refused, Status = 401, Code = "session.refused", LoggedIn = null })),
        new("commands.acknowledged", "a login is lost", history =>
            history.Without(history.OwnEventsOf(Login(history)).First())),
        new("log.origin", "an order of a customer names a key", history => EditActor(history, Kinds.Orders, "back")),
        new("log.origin", "an event of a product shows the customer", history =>
            EditActor(history, Kinds.Products, "users/1")),
        new("reads.customers", "a customer sees an order of another one", history => history.Append(
            Of("orders.own", "/orders/v2?pageSize=20", Alive(history, Kinds.Orders).First()) with
                { Customer = NoId })),
    ];

    private static LogEvent ErasureOf(History history) => history.ErasureOf(
        history.ErasuresWhere(attempt => attempt.Outcome == Outcome.Acknowledged)
            .First(user => history.ErasureOf(user) is { Version: > 1 }))!;

    /// <summary>The event of a user before the erasure.</summary>
    private static LogEvent EarlierOf(History history) =>
        history.EventAt(TokenOf(ErasureOf(history)) with { Version = ErasureOf(history).Version - 1 })!;

    private static LogEvent OrderOf(History history)
    {
        var erased = history.ErasuresWhere(attempt => attempt.Outcome == Outcome.Acknowledged).ToHashSet();
        return history.Log.First(one => one.Resource == Kinds.Orders && one.Kind == EventKind.Created
            && erased.Contains(one.State.UserId));
    }

    private static LogEvent WithName(LogEvent one, string name) => one with { State = one.State with { Name = name } };

    private static History Rewrite(History history, LogEvent one, Func<AggregateState, AggregateState> edit) =>
        history.Replace(one, one with { State = edit(one.State) });

    private static History EditWriter(History history, LogEvent one, Func<Attempt, Attempt> edit)
    {
        var writer = history.AttemptOf(one.Trace)!;
        return history.Replace(writer, edit(writer));
    }

    private static Attempt Login(History history) => LogBugs.Of(history, "users.login");

    private static History EditLogin(History history, Func<Attempt, Attempt> edit) =>
        history.Replace(Login(history), edit(Login(history)));

    private static History EditActor(History history, string resource, string actor)
    {
        var one = history.Log.First(one => one.Resource == resource
            && history.AttemptOf(one.Trace) is { Operation: "orders.create", Customer: not null });
        return history.Replace(one, one with { Actor = actor });
    }
}
