using ApexShop.Resources;

namespace ApexShop.TestKit.Comparison;

/// <summary>
/// What every document should be, computed from the relational tables alone: one SELECT a resource with the columns
/// id and expected. Written from the description of the documents, not from the Projector.
/// </summary>
public static class ExpectedDocuments
{
    public static IReadOnlyDictionary<string, string> Sql { get; } = new Dictionary<string, string>
    {
        [Resource.Categories.Name] = $"""
            SELECT c.id, jsonb_build_object(
                'id', c.id,
                'name', c.name,
                'description', c.description,
                'isActive', c.is_active,
                'createdDate', {Time("c.created_date")},
                'productCount', (SELECT count(*) FROM shop.products p WHERE p.category_id = c.id),
                'version', c.version) AS expected
            FROM shop.categories c
            """,
        [Resource.Users.Name] = $"""
            SELECT u.id, jsonb_build_object(
                'id', u.id,
                'email', u.email,
                'firstName', u.first_name,
                'lastName', u.last_name,
                'phoneNumber', u.phone_number,
                'createdDate', {Time("u.created_date")},
                'lastLoginDate', {Time("u.last_login_date")},
                'isActive', u.is_active,
                'orderCount', (SELECT count(*) FROM shop.orders o WHERE o.user_id = u.id),
                'totalSpent', (SELECT coalesce(sum(o.total_amount), 0)::numeric(18,2) FROM shop.orders o
                               WHERE o.user_id = u.id AND o.status <> 'Cancelled'),
                'version', u.version) AS expected
            FROM shop.users u
            """,
        [Resource.Products.Name] = $"""
            SELECT p.id, jsonb_build_object(
                'id', p.id,
                'name', p.name,
                'description', p.description,
                'price', p.price,
                'stock', p.stock,
                'isActive', p.is_active,
                'isFeatured', p.is_featured,
                'createdDate', {Time("p.created_date")},
                'updatedDate', {Time("p.updated_date")},
                'category', jsonb_build_object('id', p.category_id, 'name', c.name),
                'rating', (SELECT jsonb_build_object('average', coalesce(round(avg(r.rating), 2), 0)::numeric(3,2),
                                                     'count', count(*))
                           FROM shop.reviews r WHERE r.product_id = p.id),
                'version', p.version,
                'sku', p.sku,
                'slug', p.slug,
                'images', p.images,
                'currency', 'USD') AS expected
            FROM shop.products p
            JOIN shop.categories c ON c.id = p.category_id
            """,
        [Resource.Orders.Name] = $"""
            SELECT o.id, jsonb_build_object(
                'id', o.id,
                'customer', jsonb_build_object('id', o.user_id, 'name', u.first_name || ' ' || u.last_name),
                'orderDate', {Time("o.order_date")},
                'status', o.status,
                'totalAmount', o.total_amount,
                'shippingAddress', o.shipping_address,
                'trackingNumber', o.tracking_number,
                'shippedDate', {Time("o.shipped_date")},
                'deliveredDate', {Time("o.delivered_date")},
                'items', lines.items,
                'itemCount', lines.count,
                'statusHistory', o.status_history,
                'version', o.version,
                'currency', 'USD') AS expected
            FROM shop.orders o
            JOIN shop.users u ON u.id = o.user_id
            CROSS JOIN LATERAL (
                SELECT count(*), coalesce(jsonb_agg(jsonb_build_object(
                    'productId', i.product_id,
                    'productName', i.product_name,
                    'quantity', i.quantity,
                    'unitPrice', i.unit_price,
                    'totalPrice', i.total_price) ORDER BY i.product_id), '[]') AS items
                FROM shop.order_items i
                WHERE i.order_id = o.id) lines
            """,
        [Resource.Reviews.Name] = $"""
            SELECT r.id, jsonb_build_object(
                'id', r.id,
                'product', jsonb_build_object('id', r.product_id, 'name', p.name),
                'user', jsonb_build_object('id', r.user_id, 'name', u.first_name || ' ' || left(u.last_name, 1) || '.'),
                'rating', r.rating,
                'comment', r.comment,
                'createdDate', {Time("r.created_date")},
                'isVerifiedPurchase', r.is_verified_purchase,
                'version', r.version) AS expected
            FROM shop.reviews r
            JOIN shop.products p ON p.id = r.product_id
            JOIN shop.users u ON u.id = r.user_id
            """,
    };

    /// <summary>
    /// The promoted columns for filters and sorts, each with its value in the document.
    /// </summary>
    public static IReadOnlyDictionary<string, string> PromotedColumnsAgree { get; } = new Dictionary<string, string>
    {
        [Resource.Categories.Name] = $"""
            (d.name, d.is_active, d.created_date, d.version)
            IS NOT DISTINCT FROM (d.data->>'name', (d.data->>'isActive')::boolean, {Stamp("createdDate")}, {Version})
            """,
        [Resource.Users.Name] = $"""
            (d.email, d.first_name, d.last_name, d.is_active, d.created_date, d.version)
            IS NOT DISTINCT FROM (d.data->>'email', d.data->>'firstName', d.data->>'lastName',
                (d.data->>'isActive')::boolean, {Stamp("createdDate")}, {Version})
            """,
        [Resource.Products.Name] = $"""
            (d.name, d.category_id, d.price, d.stock, d.is_active, d.is_featured, d.rating, d.created_date,
                d.updated_date, d.slug, d.version)
            IS NOT DISTINCT FROM (d.data->>'name', (d.data->'category'->>'id')::int, (d.data->>'price')::numeric,
                (d.data->>'stock')::int, (d.data->>'isActive')::boolean, (d.data->>'isFeatured')::boolean,
                (d.data->'rating'->>'average')::numeric, {Stamp("createdDate")}, {Stamp("updatedDate")},
                d.data->>'slug', {Version})
            """,
        [Resource.Orders.Name] = $"""
            (d.customer_id, d.status, d.total_amount, d.order_date, d.version)
            IS NOT DISTINCT FROM ((d.data->'customer'->>'id')::int, d.data->>'status',
                (d.data->>'totalAmount')::numeric,
                {Stamp("orderDate")}, {Version})
            """,
        [Resource.Reviews.Name] = $"""
            (d.product_id, d.user_id, d.rating, d.created_date, d.version)
            IS NOT DISTINCT FROM ((d.data->'product'->>'id')::int, (d.data->'user'->>'id')::int,
                (d.data->>'rating')::int, {Stamp("createdDate")}, {Version})
            """,
    };

    private const string Version = "(d.data->>'version')::bigint";

    // UTC with as many digits as the value has, at most six, like the documents.
    private static string Time(string column) =>
        $"rtrim(rtrim(to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US'), '0'), '.') || 'Z'";

    private static string Stamp(string field) => $"(d.data->>'{field}')::timestamptz";
}
