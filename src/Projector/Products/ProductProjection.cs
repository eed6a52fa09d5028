using ApexShop.Events;
using ApexShop.Projector.ReadModels;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Products;

/// <summary>Product documents show their category's name and the rating of their reviews.</summary>
internal sealed class ProductProjection() : Projection<ProductState, ProductView>(
    Resource.Products.Name,
    EventJson.Reading<ProductState>(),
    ReadModelJson.Wire.ProductView,
    [
        new Column<ProductView, string>("name", "text", view => view.Name),
        new Column<ProductView, int?>("category_id", "integer", view => view.Category.Id),
        new Column<ProductView, decimal?>("price", "numeric", view => view.Price),
        new Column<ProductView, int?>("stock", "integer", view => view.Stock),
        new Column<ProductView, bool?>("is_active", "boolean", view => view.IsActive),
        new Column<ProductView, bool?>("is_featured", "boolean", view => view.IsFeatured),
        new Column<ProductView, decimal?>("rating", "numeric", view => view.Rating.Average),
        new Column<ProductView, DateTimeOffset?>("created_date", "timestamptz", view => view.CreatedDate),
        new Column<ProductView, DateTimeOffset?>("updated_date", "timestamptz", view => view.UpdatedDate),
    ])
{
    protected override IReadOnlyList<(string Column, string Kind)> Referring => [("category_id", Resource.Categories.Name)];

    protected override IReadOnlyList<Referrers> ShownBy => [Referrers.ReviewsOfProduct, Referrers.OrdersOfProduct];

    protected override ProductView View(ProductState state) => new(
        state.Id,
        state.Name,
        state.Description,
        state.Price,
        state.Stock,
        state.IsActive,
        state.IsFeatured,
        state.CreatedDate,
        state.UpdatedDate,
        new Reference(state.CategoryId, null),
        new Rating(0, 0),
        state.Version);

    protected override ProductState State(ProductView view) => new(
        view.Id,
        view.Name,
        view.Description,
        view.Price,
        view.Stock,
        view.IsActive,
        view.IsFeatured,
        view.Category.Id,
        view.CreatedDate,
        view.UpdatedDate,
        view.Version);

    protected override Func<ProductView, ProductView> Derive(ILookups lookups, IReadOnlyCollection<ProductView> plain)
    {
        var names = lookups.Ask(Lookup.CategoryNames, plain.Select(view => view.Category.Id));
        var ratings = lookups.Ask(Lookup.Ratings, plain.Select(view => view.Id));
        return view =>
        {
            var (average, count) = ratings.GetValueOrDefault(view.Id);
            var name = names.GetValueOrDefault(view.Category.Id);
            return view with { Category = view.Category with { Name = name }, Rating = new Rating(average, count) };
        };
    }

    protected override void Affect(Transition<ProductView> change, Affected affected)
    {
        var (id, before, after) = change;
        if (before?.Name != after?.Name)
        {
            affected.Add(Referrers.ReviewsOfProduct, id);
            affected.Add(Referrers.OrdersOfProduct, id);
        }

        if (before?.Category.Id == after?.Category.Id) return;
        if (before is not null) affected.Add(Resource.Categories.Name, before.Category.Id);
        if (after is not null) affected.Add(Resource.Categories.Name, after.Category.Id);
    }

    protected override void Summarise(Round round, IReadOnlyList<Transition<ProductView>> written)
    {
        // Of what is gone it may not be known where it stood.
        var moved = written.Where(change => change.After is null || change.Before?.Category.Id != change.After.Category.Id);
        CategorySegments.Count(round, moved.Select(change => change.Id));
        foreach (var aside in ProductAside.All) aside.Write(round, written);
    }

    protected override void CompareBeside(
        Round round, int[] ids, IReadOnlyCollection<ProductView> living, int[] hidden, List<(string Table, int? Id)> wrong)
    {
        CategorySegments.Compare(round, ids[0], wrong);
        foreach (var aside in ProductAside.All) aside.Compare(round, ids, living, hidden, wrong);
    }

    protected override void Restore(Round round, int[] ids, IReadOnlyDictionary<int, ProductView> living)
    {
        CategorySegments.Count(round, ids);
        var anew = ids.Select(id => new Transition<ProductView>(id, null, living.GetValueOrDefault(id))).ToList();
        foreach (var aside in ProductAside.All) aside.Write(round, anew);
    }

    protected override IEnumerable<(string Kind, int Id)> Parents(ProductView view) =>
        [(Resource.Categories.Name, view.Category.Id)];
}
