namespace ApexShop.Events;

/// <summary>State of a product; <paramref name="Price"/> is money with two decimals.</summary>
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
    long Version) : IAggregateState;

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
    long Version) : IAggregateState;

/// <summary>One item of an order, with the price at the time of the order.</summary>
public sealed record OrderItemState(int ProductId, int Quantity, decimal UnitPrice, decimal TotalPrice);

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
