namespace ApexShop.TestKit;

/// <summary>The promoted columns for filters and sorts, as expressions over the document.</summary>
internal static class PromotedColumns
{
    private const string Created = "created_date = (data ->> 'createdDate')::timestamptz";

    public static string Assignments(string resource) => string.Join(", ", Columns(resource));

    private static IReadOnlyList<string> Columns(string resource) => resource switch
    {
        "products" =>
        [
            "name = data ->> 'name'", "category_id = (data -> 'category' ->> 'id')::int",
            "price = (data ->> 'price')::numeric",
            "stock = (data ->> 'stock')::int", "is_active = (data ->> 'isActive')::bool",
            "is_featured = (data ->> 'isFeatured')::bool", "rating = (data -> 'rating' ->> 'average')::numeric",
            Created,
            "updated_date = (data ->> 'updatedDate')::timestamptz", "slug = data ->> 'slug'",
        ],
        "categories" => ["name = data ->> 'name'", "is_active = (data ->> 'isActive')::bool", Created],
        "orders" =>
        [
            "customer_id = (data -> 'customer' ->> 'id')::int", "status = data ->> 'status'",
            "total_amount = (data ->> 'totalAmount')::numeric", "order_date = (data ->> 'orderDate')::timestamptz",
        ],
        "reviews" =>
        [
            "product_id = (data -> 'product' ->> 'id')::int", "user_id = (data -> 'user' ->> 'id')::int",
            "rating = (data ->> 'rating')::int", Created,
        ],
        "users" => ["email = data ->> 'email'", "is_active = (data ->> 'isActive')::bool", Created],
        _ => throw new ArgumentOutOfRangeException(nameof(resource)),
    };
}
