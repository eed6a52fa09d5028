namespace ApexShop.ReadModels;

/// <summary>A named reference inside a document; the name is null until the thing it names is known.</summary>
public sealed record Reference(int Id, string? Name);

/// <summary>Average of the ratings, to two decimals, and how many there are; 0 and 0 without reviews.</summary>
public sealed record Rating(decimal Average, int Count);

/// <summary>A product as the query API shows it.</summary>
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
    long Version);

/// <summary>A category as the query API shows it; <paramref name="ProductCount"/> counts all its products.</summary>
public sealed record CategoryView(
    int Id,
    string Name,
    string? Description,
    bool IsActive,
    DateTimeOffset CreatedDate,
    int ProductCount,
    long Version);

/// <summary>An order as the query API shows it; product names follow the products they come from.</summary>
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
    long Version);

/// <summary>One line of an order document.</summary>
public sealed record OrderItemView(int ProductId, string? ProductName, int Quantity, decimal UnitPrice, decimal TotalPrice);

/// <summary>A review as the query API shows it; it is public, so its author is "First L." and nothing more.</summary>
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
/// A user as the query API shows it (personal data). <paramref name="OrderCount"/> counts every order,
/// <paramref name="TotalSpent"/> sums those that were not cancelled.
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
