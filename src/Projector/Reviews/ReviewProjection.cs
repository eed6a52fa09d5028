using ApexShop.Events;
using ApexShop.Projector.ReadModels;
using ApexShop.Projector.Users;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Reviews;

/// <summary>Review documents show the names of their product and of their author.</summary>
internal sealed class ReviewProjection() : Projection<ReviewState, ReviewView>(
    Resource.Reviews.Name,
    EventJson.Reading<ReviewState>(),
    ReadModelJson.Wire.ReviewView,
    [
        new Column<ReviewView, int?>("product_id", "integer", view => view.Product.Id),
        new Column<ReviewView, int?>("user_id", "integer", view => view.User.Id),
        new Column<ReviewView, int?>("rating", "integer", view => view.Rating),
        new Column<ReviewView, DateTimeOffset?>("created_date", "timestamptz", view => view.CreatedDate),
    ])
{
    protected override IReadOnlyList<(string Column, string Kind)> Referring =>
        [("product_id", Resource.Products.Name), ("user_id", Resource.Users.Name)];

    protected override ReviewView View(ReviewState state) => new(
        state.Id,
        new Reference(state.ProductId, null),
        new Reference(state.UserId, null),
        state.Rating,
        state.Comment,
        state.CreatedDate,
        state.IsVerifiedPurchase,
        state.Version);

    protected override ReviewState State(ReviewView view) => new(
        view.Id,
        view.Product.Id,
        view.User.Id,
        view.Rating,
        view.Comment,
        view.CreatedDate,
        view.IsVerifiedPurchase,
        view.Version);

    protected override Func<ReviewView, ReviewView> Derive(ILookups lookups, IReadOnlyCollection<ReviewView> plain)
    {
        var products = lookups.Ask(Lookup.ProductNames, plain.Select(view => view.Product.Id));
        var users = lookups.Ask(Lookup.UserNames, plain.Select(view => view.User.Id));
        return view => view with
        {
            Product = view.Product with { Name = products.GetValueOrDefault(view.Product.Id) },
            User = view.User with { Name = users.Public(view.User.Id) },
        };
    }

    protected override void Affect(Transition<ReviewView> change, Affected affected)
    {
        var (_, before, after) = change;
        if (before?.Product.Id == after?.Product.Id && before?.Rating == after?.Rating) return;
        if (before is not null) affected.Add(Resource.Products.Name, before.Product.Id);
        if (after is not null) affected.Add(Resource.Products.Name, after.Product.Id);
    }

    protected override IEnumerable<(string Kind, int Id)> Parents(ReviewView view) =>
        [(Resource.Products.Name, view.Product.Id), (Resource.Users.Name, view.User.Id)];
}
