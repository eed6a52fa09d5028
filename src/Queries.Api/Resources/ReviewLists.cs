using ApexShop.Resources;

namespace ApexShop.Queries.Api.Resources;

/// <summary>Filters and sorts of reviews.</summary>
internal static class ReviewLists
{
    private const string Newest = "newest";
    private const string Best = "-rating";

    public static IReadOnlyList<Sort> Sorts { get; } =
    [
        Sort.Id,
        Sort.Descending(Newest, "created_date", ValueKind.Time),
        Sort.Descending(Best, "rating", ValueKind.Stars),
    ];

    public static IReadOnlyList<Filter> Filters { get; } =
    [
        new("productId", ValueKind.Id, Condition.EqualTo("product_id", "id", Newest))
        {
            Parent = Resource.Products.Name,
        },
        new("userId", ValueKind.Id, Condition.EqualTo("user_id", "id")) { Parent = Resource.Users.Name },
        new("minRating", ValueKind.Stars, Condition.From("rating >= {0}", Best)),
    ];
}
