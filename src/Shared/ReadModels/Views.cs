namespace ApexShop.ReadModels;

/// <summary>A reference inside a document; the name is null until the referenced document exists.</summary>
public sealed record Reference(int Id, string? Name);

/// <summary>Average of the ratings with two decimals, and their number; 0 and 0 without reviews.</summary>
public sealed record Rating(decimal Average, int Count);

/// <summary>An image of a product: where it is, a text in place of it, and its size in pixels.</summary>
public sealed record ProductImage(string Url, string? Alt, int Width, int Height);

/// <summary>A document with lists. The serializer does not check that no element is null.</summary>
public interface IListView
{
    bool HasNull { get; }
}

/// <summary>
/// The document of a product. Documents from before products had a SKU, a slug, images and a currency are read as
/// without them.
/// </summary>
public sealed record ProductView(
    int Id,
    string Name,
    string? Description,
    decimal Price,
    int Stock,
    bool IsActive,
    bool IsFeatured,
    DateTimeOffset CreatedDate,
    DateTimeOffset? UpdatedDate,
    Reference Category,
    Rating Rating,
    long Version,
    string? Sku = null,
    string? Slug = null,
    IReadOnlyList<ProductImage> Images = null!,
    string Currency = "") : IListView
{
    bool IListView.HasNull => Images.Contains(null!);

    // Null only when the argument is left out, as by a document from before.
    public IReadOnlyList<ProductImage> Images { get; init; } = Images ?? [];
}

/// <summary>The document of a category; <paramref name="ProductCount"/> counts all its products.</summary>
public sealed record CategoryView(
    int Id,
    string Name,
    string? Description,
    bool IsActive,
    DateTimeOffset CreatedDate,
    int ProductCount,
    long Version);

/// <summary>
/// The document of an order, with the product names of the time of the order. Documents from before the status history
/// and the currency were kept have none.
/// </summary>
public sealed record OrderView(
    int Id,
    Reference Customer,
    DateTimeOffset OrderDate,
    string Status,
    decimal TotalAmount,
    string ShippingAddress,
    string? TrackingNumber,
    DateTimeOffset? ShippedDate,
    DateTimeOffset? DeliveredDate,
    IReadOnlyList<OrderItemView> Items,
    int ItemCount,
    long Version,
    IReadOnlyList<OrderStatusView>? StatusHistory = null,
    string Currency = "") : IListView
{
    bool IListView.HasNull => Items.Contains(null!) || StatusHistory?.Contains(null!) is true;
}

/// <summary>One item of an order.</summary>
public sealed record OrderItemView(
    int ProductId, string? ProductName, int Quantity, decimal UnitPrice, decimal TotalPrice);

/// <summary>
/// A status of an order, since when it had it, and who set it: customer, staff (an API key) or system.
/// </summary>
public sealed record OrderStatusView(string Status, DateTimeOffset Time, string? Actor);

/// <summary>The document of a review. It is public, so the author's name is shortened to "First L.".</summary>
public sealed record ReviewView(
    int Id,
    Reference Product,
    Reference User,
    int Rating,
    string? Comment,
    DateTimeOffset CreatedDate,
    bool IsVerifiedPurchase,
    long Version);

/// <summary>
/// The document of a user (personal data). <paramref name="OrderCount"/> counts all orders,
/// <paramref name="TotalSpent"/> is the sum of the orders that are not cancelled.
/// </summary>
public sealed record UserView(
    int Id,
    string Email,
    string FirstName,
    string LastName,
    string? PhoneNumber,
    DateTimeOffset CreatedDate,
    DateTimeOffset? LastLoginDate,
    bool IsActive,
    int OrderCount,
    decimal TotalSpent,
    long Version);
