namespace ApexShop.Events;

/// <summary>
/// State of a product; <paramref name="Price"/> is money with two decimals. <paramref name="Images"/> is null only in
/// events from before products had images.
/// </summary>
public sealed record ProductState(
    int Id,
    string Name,
    string? Description,
    decimal Price,
    int Stock,
    bool IsActive,
    bool IsFeatured,
    int CategoryId,
    DateTimeOffset CreatedDate,
    DateTimeOffset? UpdatedDate,
    long Version,
    string? Sku,
    string? Slug,
    IReadOnlyList<ProductImageState>? Images) : IAggregateState;

/// <summary>An image of a product: where it is, a text in place of it, and its size in pixels.</summary>
public sealed record ProductImageState(string Url, string? Alt, int Width, int Height);

/// <summary>State of a category.</summary>
public sealed record CategoryState(
    int Id,
    string Name,
    string? Description,
    bool IsActive,
    DateTimeOffset CreatedDate,
    long Version) : IAggregateState;

/// <summary>
/// State of an order; <paramref name="Status"/> is Pending, Processing, Shipped, Delivered or Cancelled.
/// <paramref name="StatusHistory"/> is null in events from before it was kept.
/// </summary>
public sealed record OrderState(
    int Id,
    int UserId,
    DateTimeOffset OrderDate,
    string Status,
    decimal TotalAmount,
    string ShippingAddress,
    string? TrackingNumber,
    DateTimeOffset? ShippedDate,
    DateTimeOffset? DeliveredDate,
    IReadOnlyList<OrderItemState> Items,
    IReadOnlyList<OrderStatusState>? StatusHistory,
    long Version) : IAggregateState;

/// <summary>
/// One item of an order, with the product's name and price at the time of the order; events from before the name was
/// kept have none.
/// </summary>
public sealed record OrderItemState(
    int ProductId, string? ProductName, int Quantity, decimal UnitPrice, decimal TotalPrice);

/// <summary>
/// A status of an order, since when it had it, and who set it: customer, staff (an API key) or system. Earlier events
/// have the name of the API key.
/// </summary>
public sealed record OrderStatusState(string Status, DateTimeOffset Time, string? Actor);

/// <summary>State of a review; <paramref name="Rating"/> is 1 to 5.</summary>
public sealed record ReviewState(
    int Id,
    int ProductId,
    int UserId,
    int Rating,
    string? Comment,
    DateTimeOffset CreatedDate,
    bool IsVerifiedPurchase,
    long Version) : IAggregateState;

/// <summary>State of a user. It never contains a password or its hash.</summary>
public sealed record UserState(
    int Id,
    string Email,
    string FirstName,
    string LastName,
    string? PhoneNumber,
    DateTimeOffset CreatedDate,
    DateTimeOffset? LastLoginDate,
    bool IsActive,
    long Version) : IAggregateState;
