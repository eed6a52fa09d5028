using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Resources;

/// <summary>Filters and sorts of products; each order has its index in the read schema.</summary>
internal static class ProductLists
{
    // A client that fetches what has changed and follows the pages in this order misses no change made meanwhile.
    private const string OldestChangeFirst = "modified";

    public static IReadOnlyList<Sort> Sorts { get; } =
    [
        Sort.Id,
        Sort.Up("price", "price", ValueKind.Amount),
        Sort.Down("-price", "price", ValueKind.Amount),
        // By code point, as the index is: the same order on every machine.
        Sort.Up("name", "name COLLATE \"C\"", ValueKind.AnyText),
        Sort.Down("newest", "created_date", ValueKind.Time),
        Sort.Down("rating", "average", ValueKind.Amount) with { Aside = (ReadTables.ProductRatings, "product_id") },
        Sort.Up(OldestChangeFirst, "modified_date", ValueKind.Time) with
        {
            Aside = (ReadTables.ProductChanges, "product_id"),
            IsNamed = false,
        },
    ];

    public static IReadOnlyList<Filter> Filters { get; } =
    [
        new("categoryId", ValueKind.Id, Condition.Same("category_id", "id"))
        {
            Parent = "categories",
            Ruler = new(ReadTables.CategorySegments, "category_id", ValueKind.Id, "product_count"),
        },
        new("minPrice", ValueKind.Amount, Condition.From("price >= {0}", "price", "-price")) { NotAbove = "maxPrice" },
        new("maxPrice", ValueKind.Amount, Condition.UpTo("price <= {0}", "price", "-price")),
        new("inStock", ValueKind.Flag, Condition.Common("stock > 0"), Condition.Search("stock <= 0")),
        new("isActive", ValueKind.Flag, Condition.Common("is_active"), Condition.Together("NOT is_active", "id")),
        new("isFeatured", ValueKind.Flag, Condition.Together("is_featured", "id"), Condition.Common("NOT is_featured")),
        new("modifiedAfter", ValueKind.Time, Condition.From("modified_date > {0}", OldestChangeFirst) with
        {
            Elsewhere = Among(ReadTables.ProductChanges, "modified_date > {0}"),
        })
        {
            Sort = OldestChangeFirst,
        },
        new("q", ValueKind.Question, Condition.Search(
            Among(ReadTables.ProductWords, "words @@ websearch_to_tsquery('english', {0})"))),
    ];

    private static string Among(string table, string condition) => $"id IN (SELECT product_id FROM {table} WHERE {condition})";
}
