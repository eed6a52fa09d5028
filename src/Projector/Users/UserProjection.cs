using ApexShop.Events;
using ApexShop.Projector.ReadModels;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Users;

/// <summary>User documents show how many orders they placed and what they spent on those not cancelled.</summary>
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
    protected override IReadOnlyList<Referrers> ShownBy => [Referrers.OrdersOfUser, Referrers.ReviewsOfUser];

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

    protected override Func<UserView, UserView> Derive(ILookups lookups, IReadOnlyCollection<UserView> plain)
    {
        var totals = lookups.Ask(Lookup.OrderTotals, plain.Select(view => view.Id));
        return view =>
        {
            var (count, spent) = totals.GetValueOrDefault(view.Id);
            return view with { OrderCount = count, TotalSpent = spent };
        };
    }

    protected override void Affect(Transition<UserView> change, Affected affected)
    {
        var (id, before, after) = change;
        if (before?.FirstName == after?.FirstName && before?.LastName == after?.LastName) return;
        affected.Add(Referrers.OrdersOfUser, id);
        affected.Add(Referrers.ReviewsOfUser, id);
    }

    protected override IEnumerable<(string Kind, int Id)> Parents(UserView view) => [];
}
