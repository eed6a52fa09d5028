using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Reviews;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Products;

/// <summary>
/// Product documents show their category's name, the rating of their reviews, and the shop's currency.
/// </summary>
internal sealed class ProductProjection(string currency) : Projection<ProductState, ProductView>(
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
        new Column<ProductView, string>("slug", "text", view => view.Slug),
    ])
{
    public static readonly ReferenceQuery OfCategory = new ReferenceQuery<string>(
        Resource.Products.Name,
        "category_id",
        "category",
        DerivedValue.CategoryName,
        (names, id) => names.GetValueOrDefault(id));

    protected override IReadOnlyList<(string Column, string Kind)> References =>
        [("category_id", Resource.Categories.Name)];

    public override IReadOnlyList<ReferenceQuery> ShownIn => [ReviewProjection.OfProduct];

    // Events from before products had images have none.
    protected override ProductState Complete(ProductState state) => state with { Images = state.Images ?? [] };

    protected override bool IsWhole(ProductState state) => state.Images!.All(image => image is not null);

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
        state.Version,
        state.Sku,
        state.Slug,
        [.. state.Images!.Select(image => new ProductImage(image.Url, image.Alt, image.Width, image.Height))],
        currency);

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
        view.Version,
        view.Sku,
        view.Slug,
        [.. view.Images.Select(image => new ProductImageState(image.Url, image.Alt, image.Width, image.Height))]);

    protected override void LoadValues(LoadedValues values, IReadOnlyCollection<ProductView> plain)
    {
        OfCategory.LoadNames(values, plain.Select(view => view.Category.Id));
        values.Load(DerivedValue.ProductRating, plain.Select(view => view.Id));
    }

    protected override ProductView Derive(ProductView view, LoadedValues values)
    {
        var name = OfCategory.NameOf(values, view.Category.Id);
        var (average, count) = values.Of(DerivedValue.ProductRating).GetValueOrDefault(view.Id);
        return view with { Category = view.Category with { Name = name }, Rating = new Rating(average, count) };
    }

    protected override void FindDependents(DocumentChange<ProductView> change, DependentDocuments dependents)
    {
        var (id, before, after) = change;
        if (before?.Name != after?.Name) dependents.Add(ReviewProjection.OfProduct, id);
        if (before?.Category.Id == after?.Category.Id) return;
        if (before is not null) dependents.Add(Resource.Categories.Name, before.Category.Id);
        if (after is not null) dependents.Add(Resource.Categories.Name, after.Category.Id);
    }

    protected override void Summarise(StatementBatch statements, IReadOnlyList<DocumentChange<ProductView>> written)
    {
        CategorySegments.Count(
            statements,
            written.Where(change => !change.IsBeforeKnown || change.Before?.Category.Id != change.After?.Category.Id));
        foreach (var table in ProductSideTable.All) table.Write(statements, written);
    }

    public override void FillSideTables(StatementBatch statements)
    {
        CategorySegments.CountAll(statements);
        foreach (var table in ProductSideTable.All) table.Fill(statements);
    }

    protected override void Recount(StatementBatch statements, int[] ids) =>
        TotalsTable.OfReviews.Recount(statements, ids);

    protected override void CompareSideTables(
        StatementBatch statements,
        int[] ids,
        IReadOnlyCollection<ProductView> living,
        int[] unreadable,
        List<(string Table, int? Id)> wrong)
    {
        CategorySegments.Compare(statements, ids[0], wrong);
        TotalsTable.OfReviews.Compare(statements, ids, wrong);
        foreach (var table in ProductSideTable.All) table.Compare(statements, ids, living, unreadable, wrong);
    }

    protected override void RewriteSideTables(
        StatementBatch statements, int[] ids, IReadOnlyDictionary<int, ProductView> living)
    {
        CategorySegments.Count(statements, ids.Select(id => id / ReadTables.SegmentSize).Distinct());
        Recount(statements, ids);
        var written = ids.Select(
            id => new DocumentChange<ProductView>(id, null, living.GetValueOrDefault(id))).ToList();
        foreach (var table in ProductSideTable.All) table.Write(statements, written);
    }

    protected override IEnumerable<(string Kind, int Id)> Parents(ProductView view) =>
        [(Resource.Categories.Name, view.Category.Id)];
}
