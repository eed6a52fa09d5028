using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Users;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Reviews;

/// <summary>Review documents show the name of their product and the public name of their author.</summary>
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
    public static readonly ReferenceQuery OfProduct = new ReferenceQuery<string>(
        Resource.Reviews.Name,
        "product_id",
        "product",
        DerivedValue.ProductName,
        (names, id) => names.GetValueOrDefault(id));

    public static readonly ReferenceQuery OfUser = new ReferenceQuery<(string First, string Last)>(
        Resource.Reviews.Name, "user_id", "user", DerivedValue.UserName, UserNames.Public);

    protected override IReadOnlyList<(string Column, string Kind)> References =>
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

    protected override void LoadValues(LoadedValues values, IReadOnlyCollection<ReviewView> plain)
    {
        OfProduct.LoadNames(values, plain.Select(view => view.Product.Id));
        OfUser.LoadNames(values, plain.Select(view => view.User.Id));
    }

    protected override (TotalsTable Table, Func<ReviewView, (int Id, decimal Value)> Of)? Totals =>
        (TotalsTable.OfReviews, view => (view.Product.Id, view.Rating));

    protected override ReviewView Derive(ReviewView view, LoadedValues values) => view with
    {
        Product = view.Product with { Name = OfProduct.NameOf(values, view.Product.Id) },
        User = view.User with { Name = OfUser.NameOf(values, view.User.Id) },
    };

    protected override IEnumerable<(string Kind, int Id)> Parents(ReviewView view) =>
        [(Resource.Products.Name, view.Product.Id), (Resource.Users.Name, view.User.Id)];
}
