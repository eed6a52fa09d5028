namespace ApexShop.Client;

/// <summary>A reference to another document; the name is null until that document exists.</summary>
public sealed record Reference(int Id, string? Name);

/// <summary>The average of the ratings with two decimals, and their number; 0 and 0 without reviews.</summary>
public sealed record Rating(decimal Average, int Count);

/// <summary>An image of a product: its URL or path, a text in place of it, and its size in pixels.</summary>
public sealed record ProductImage(string Url, string? Alt, int Width, int Height);

/// <summary>The document of a product; amounts are in <paramref name="Currency"/>, an ISO 4217 code.</summary>
public sealed record Product(
    int Id, string Name, string? Description, decimal Price, int Stock, bool IsActive, bool IsFeatured,
    DateTimeOffset CreatedDate, DateTimeOffset? UpdatedDate, Reference Category, Rating Rating, long Version,
    string? Sku, string? Slug, string Currency, IReadOnlyList<ProductImage> Images);

/// <summary>The document of a category; <paramref name="ProductCount"/> counts all its products.</summary>
public sealed record Category(
    int Id, string Name, string? Description, bool IsActive, DateTimeOffset CreatedDate, int ProductCount,
    long Version);

/// <summary>The status of an order.</summary>
public enum OrderStatus
{
    Pending,
    Processing,
    Shipped,
    Delivered,
    Cancelled,
}

/// <summary>One item of an order, with name and price of the time of the order.</summary>
public sealed record OrderItem(
    int ProductId, string? ProductName, int Quantity, decimal UnitPrice, decimal TotalPrice);

/// <summary>Since when an order had a status, and who set it: customer, staff or system.</summary>
public sealed record OrderStatusChange(OrderStatus Status, DateTimeOffset Time, string? Actor);

/// <summary>The document of an order; the history is null for an order of a release that did not keep it.</summary>
public sealed record Order(
    int Id, Reference Customer, DateTimeOffset OrderDate, OrderStatus Status, decimal TotalAmount,
    string ShippingAddress, string? TrackingNumber, DateTimeOffset? ShippedDate, DateTimeOffset? DeliveredDate,
    IReadOnlyList<OrderItem> Items, int ItemCount, long Version, IReadOnlyList<OrderStatusChange>? StatusHistory,
    string Currency);

/// <summary>The document of a review; the author's name is shortened to "First L.".</summary>
public sealed record Review(
    int Id, Reference Product, Reference User, int Rating, string? Comment, DateTimeOffset CreatedDate,
    bool IsVerifiedPurchase, long Version);

/// <summary>The document of a user: personal data, which needs the scope <c>users:read</c>.</summary>
public sealed record User(
    int Id, string Email, string FirstName, string LastName, string? PhoneNumber, DateTimeOffset CreatedDate,
    DateTimeOffset? LastLoginDate, bool IsActive, int OrderCount, decimal TotalSpent, long Version);

/// <summary>A document with its ETag; the value is null when the caller's ETag is still the current one.</summary>
public sealed record Document<T>(T? Value, string ETag) where T : class;

/// <summary>A page of a list: the cursors go into the next request as <c>after</c> and <c>before</c>.</summary>
public sealed record Page<T>(
    IReadOnlyList<T> Data, int PageSize, bool HasMore, string? NextCursor, string? PrevCursor);

/// <summary>Documents in the order of the requested ids, and the ids that have none.</summary>
public sealed record Batch<T>(IReadOnlyList<T> Data, IReadOnlyList<int> Missing);
