namespace ApexShop.Queries.Api.Resources;

/// <summary>Filters and sorts of reviews.</summary>
internal static class ReviewLists
{
    private const string Best = "-rating";

    public static IReadOnlyList<Sort> Sorts { get; } =
    [
        Sort.Id,
        Sort.Down("newest", "created_date", ValueKind.Time),
        Sort.Down(Best, "rating", ValueKind.Stars),
    ];

    public static IReadOnlyList<Filter> Filters { get; } =
    [
        new("productId", ValueKind.Id, Condition.Same("product_id", "id")) { Parent = "products" },
        new("userId", ValueKind.Id, Condition.Same("user_id", "id")) { Parent = "users" },
        new("minRating", ValueKind.Stars, Condition.From("rating >= {0}", Best)),
    ];
}
