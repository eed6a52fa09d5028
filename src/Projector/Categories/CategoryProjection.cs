using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Products;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Categories;

/// <summary>Category documents show the number of their products.</summary>
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
    public override IReadOnlyList<ReferenceQuery> ShownIn => [ProductProjection.OfCategory];

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

    protected override void LoadValues(LoadedValues values, IReadOnlyCollection<CategoryView> plain) =>
        values.Load(DerivedValue.ProductCount, plain.Select(view => view.Id));

    protected override CategoryView Derive(CategoryView view, LoadedValues values) =>
        view with { ProductCount = values.Of(DerivedValue.ProductCount).GetValueOrDefault(view.Id) };

    protected override void FindDependents(DocumentChange<CategoryView> change, DependentDocuments dependents)
    {
        var (id, before, after) = change;
        if (before?.Name != after?.Name) dependents.Add(ProductProjection.OfCategory, id);
    }

    protected override void Recount(StatementBatch statements, int[] ids) => CategorySegments.CountOf(statements, ids);

    protected override IEnumerable<(string Kind, int Id)> Parents(CategoryView view) => [];
}
