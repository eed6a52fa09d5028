namespace ApexShop.Client;

/// <summary>A new product. SKU and slug are optional and unique; there may be 10 images.</summary>
public sealed record ProductInput(
    string Name, decimal Price, int Stock, int CategoryId, string? Description = null, bool IsActive = true,
    bool IsFeatured = false, string? Sku = null, string? Slug = null, IReadOnlyList<ProductImage>? Images = null);

/// <summary>All editable fields of a product; without a stock it keeps the current one.</summary>
public sealed record ProductReplacement(
    string Name, decimal Price, int CategoryId, int? Stock = null, string? Description = null, bool IsActive = true,
    bool IsFeatured = false, string? Sku = null, string? Slug = null, IReadOnlyList<ProductImage>? Images = null);

/// <summary>A product of a list that is replaced; with a version only that version is replaced.</summary>
public sealed record ProductItem(
    int Id, string Name, decimal Price, int CategoryId, int? Stock = null, string? Description = null,
    bool IsActive = true, bool IsFeatured = false, string? Sku = null, string? Slug = null,
    IReadOnlyList<ProductImage>? Images = null, long? Version = null);

/// <summary>A category, new or replaced.</summary>
public sealed record CategoryInput(string Name, string? Description = null, bool IsActive = true);

/// <summary>A category of a list that is replaced.</summary>
public sealed record CategoryItem(
    int Id, string Name, string? Description = null, bool IsActive = true, long? Version = null);

/// <summary>A new order of 1 to 100 items, sold at the current prices.</summary>
public sealed record OrderInput(int UserId, string ShippingAddress, IReadOnlyList<OrderInputItem> Items);

/// <summary>A product and its quantity in a new order.</summary>
public sealed record OrderInputItem(int ProductId, int Quantity);

/// <summary>What can be changed of an order.</summary>
public sealed record OrderReplacement(OrderStatus Status, string ShippingAddress, string? TrackingNumber = null);

/// <summary>A new review: rating 1 to 5, one for each user and product.</summary>
public sealed record ReviewInput(int ProductId, int UserId, int Rating, string? Comment = null);

/// <summary>What can be changed of a review.</summary>
public sealed record ReviewReplacement(int Rating, string? Comment = null);

/// <summary>A review of a list that is replaced.</summary>
public sealed record ReviewItem(int Id, int Rating, string? Comment = null, long? Version = null);

/// <summary>A user, new or replaced; a replacement without a password keeps the old one.</summary>
public sealed record UserInput(
    string Email, string FirstName, string LastName, string? PhoneNumber = null, string? Password = null,
    bool IsActive = true)
{
    /// <summary>Only the name: a password must not be in a log.</summary>
    public override string ToString() => nameof(UserInput);
}

/// <summary>A user of a list that is replaced.</summary>
public sealed record UserItem(
    int Id, string Email, string FirstName, string LastName, string? PhoneNumber = null, string? Password = null,
    bool IsActive = true, long? Version = null)
{
    /// <summary>Without the password, which must not be in a log.</summary>
    public override string ToString() => $"{nameof(UserItem)} {Id}";
}

internal sealed record StockInput(int? Stock, int? Delta);

internal sealed record CategoryStockInput(int CategoryId, int? Stock, int? Delta);

internal sealed record SessionInput(string Email, string Password)
{
    public override string ToString() => nameof(SessionInput);
}
