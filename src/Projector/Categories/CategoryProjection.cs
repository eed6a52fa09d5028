using ApexShop.Events;
using ApexShop.Projector.Products;
using ApexShop.Projector.ReadModels;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Categories;

/// <summary>Category documents show how many products they have.</summary>
internal sealed class CategoryProjection() : Projection<CategoryState, CategoryView>(
    Resource.Categories.Name,
    EventJson.Reading<CategoryState>(),
    ReadModelJson.Wire.CategoryView,
    [
        new Column<CategoryView, string>("name", "text", view => view.Name),
        new Column<CategoryView, bool?>("is_active", "boolean", view => view.IsActive),
        new Column<CategoryView, DateTimeOffset?>("created_date", "timestamptz", view => view.CreatedDate),
    ])
{
    protected override IReadOnlyList<Referrers> ShownBy => [Referrers.ProductsOfCategory];

    protected override CategoryView View(CategoryState state) => new(
        state.Id,
        state.Name,
        state.Description,
        state.IsActive,
        state.CreatedDate,
        0,
        state.Version);

    protected override CategoryState State(CategoryView view) => new(
        view.Id,
        view.Name,
        view.Description,
        view.IsActive,
        view.CreatedDate,
        view.Version);

    protected override Func<CategoryView, CategoryView> Derive(ILookups lookups, IReadOnlyCollection<CategoryView> plain)
    {
        var counts = lookups.Ask(Lookup.ProductCounts, plain.Select(view => view.Id));
        return view => view with { ProductCount = counts.GetValueOrDefault(view.Id) };
    }

    protected override void Affect(Transition<CategoryView> change, Affected affected)
    {
        var (id, before, after) = change;
        if (before?.Name != after?.Name) affected.Add(Referrers.ProductsOfCategory, id);
    }

    protected override void Recount(Round round, int[] ids) => CategorySegments.CountOf(round, ids);

    protected override IEnumerable<(string Kind, int Id)> Parents(CategoryView view) => [];
}
