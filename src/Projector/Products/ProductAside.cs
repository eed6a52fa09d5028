using ApexShop.Projector.ReadModels;
using ApexShop.ReadModels;

namespace ApexShop.Projector.Products;

/// <summary>
/// A value of the living products in a table of its own, taken from their rows again whenever it may have changed: in
/// the rows themselves its index would have to be written with every other change as well.
/// </summary>
internal sealed class ProductAside(string table, string column, string value, Func<ProductView, object?> shown)
{
    private readonly string forget = $"DELETE FROM {table} WHERE product_id = ANY($1)";

    private readonly string put = $"""
        INSERT INTO {table} AS t (product_id, {column})
        SELECT id, {value} FROM read.products WHERE id = ANY($1) AND NOT is_deleted
        ON CONFLICT (product_id) DO UPDATE SET {column} = excluded.{column} WHERE t.{column} <> excluded.{column}
        """;

    public static IReadOnlyList<ProductAside> All { get; } =
    [
        new(ReadTables.ProductRatings, "average", "rating", view => view.Rating.Average),
        new(
            ReadTables.ProductChanges, "modified_date", "coalesce(updated_date, created_date)",
            view => view.UpdatedDate ?? view.CreatedDate),
        new(
            ReadTables.ProductWords, "words", "to_tsvector('english', name || ' ' || coalesce(data ->> 'description', ''))",
            view => (view.Name, view.Description)),
    ];

    public void Write(Round round, IReadOnlyList<Transition<ProductView>> changes)
    {
        int[] differing = [.. changes.Where(Differs).Select(change => change.Id)];
        if (differing.Length == 0) return;

        // A deletion that came too late finds the product alive: the second statement puts its value back.
        int[] gone = [.. changes.Where(change => change.After is null).Select(change => change.Id)];
        if (gone.Length > 0) round.Add(forget, Round.Parameter(gone));
        round.Add(put, Round.Parameter(differing));
    }

    private bool Differs(Transition<ProductView> change) =>
        change.Before is null || change.After is null || !Equals(shown(change.Before), shown(change.After));
}
