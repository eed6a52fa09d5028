using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Orders;
using ApexShop.Projector.Reviews;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Users;

/// <summary>User documents show the number of their orders and the total of those not cancelled.</summary>
internal sealed class UserProjection() : Projection<UserState, UserView>(
    Resource.Users.Name,
    EventJson.Reading<UserState>(),
    ReadModelJson.Wire.UserView,
    [
        new Column<UserView, string>("email", "text", view => view.Email),
        new Column<UserView, string>("first_name", "text", view => view.FirstName),
        new Column<UserView, string>("last_name", "text", view => view.LastName),
        new Column<UserView, bool?>("is_active", "boolean", view => view.IsActive),
        new Column<UserView, DateTimeOffset?>("created_date", "timestamptz", view => view.CreatedDate),
    ])
{
    public override IReadOnlyList<ReferenceQuery> ShownIn =>
        [OrderProjection.OfUser, ReviewProjection.OfUser];

    protected override UserView View(UserState state) => new(
        state.Id,
        state.Email,
        state.FirstName,
        state.LastName,
        state.PhoneNumber,
        state.CreatedDate,
        state.LastLoginDate,
        state.IsActive,
        0,
        0,
        state.Version);

    protected override UserState State(UserView view) => new(
        view.Id,
        view.Email,
        view.FirstName,
        view.LastName,
        view.PhoneNumber,
        view.CreatedDate,
        view.LastLoginDate,
        view.IsActive,
        view.Version);

    protected override void LoadValues(LoadedValues values, IReadOnlyCollection<UserView> plain) =>
        values.Load(DerivedValue.OrderTotals, plain.Select(view => view.Id));

    protected override UserView Derive(UserView view, LoadedValues values)
    {
        var (count, spent) = values.Of(DerivedValue.OrderTotals).GetValueOrDefault(view.Id);
        return view with { OrderCount = count, TotalSpent = spent };
    }

    protected override void FindDependents(DocumentChange<UserView> change, DependentDocuments dependents)
    {
        if (Differs(UserNames.Full)) dependents.Add(OrderProjection.OfUser, change.Id);
        if (Differs(UserNames.Public)) dependents.Add(ReviewProjection.OfUser, change.Id);

        bool Differs(Func<(string, string), string> name) => Of(change.Before, name) != Of(change.After, name);

        static string? Of(UserView? view, Func<(string, string), string> name) =>
            view is null ? null : name((view.FirstName, view.LastName));
    }

    protected override void Recount(StatementBatch statements, int[] ids) =>
        TotalsTable.OfOrders.Recount(statements, ids);

    protected override void CompareSideTables(
        StatementBatch statements,
        int[] ids,
        IReadOnlyCollection<UserView> living,
        int[] unreadable,
        List<(string Table, int? Id)> wrong) => TotalsTable.OfOrders.Compare(statements, ids, wrong);

    protected override void RewriteSideTables(
        StatementBatch statements, int[] ids, IReadOnlyDictionary<int, UserView> living) => Recount(statements, ids);

    protected override IEnumerable<(string Kind, int Id)> Parents(UserView view) => [];
}
