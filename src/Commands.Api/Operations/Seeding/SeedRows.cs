using ApexShop.Events;

namespace ApexShop.Commands.Api.Operations.Seeding;

/// <summary>
/// Rows before they have ids: they refer to each other by their index in the list. A row is possible when what it
/// refers to exists; the id of what does not is <see cref="SeededChunks.Missing"/>.
/// </summary>
internal sealed record SeedUser(
    string Email, string FirstName, string LastName, string? Phone, string Address,
    DateTimeOffset Created, DateTimeOffset? LastLogin, bool IsActive)
{
    public UserState ToState(int id) => new(id, Email, FirstName, LastName, Phone, Created, LastLogin, IsActive, 1);
}

internal sealed record SeedCategory(string Name, string? Description, DateTimeOffset Created)
{
    public CategoryState ToState(int id) => new(id, Name, Description, true, Created, 1);
}

internal sealed record SeedProduct(
    string Name, string? Description, decimal Price, int Stock, bool IsActive, bool IsFeatured, int Category,
    DateTimeOffset Created, string Sku, string Slug, ProductImageState[] Images)
{
    public bool IsPossible(int[] categories) => categories[Category] != SeededChunks.Missing;

    public ProductState ToState(int id, int[] categories) =>
        new(id, Name, Description, Price, Stock, IsActive, IsFeatured, categories[Category], Created, null, 1,
            Sku, Slug, Images);
}

internal sealed record SeedItem(int Product, string Name, int Quantity, decimal Price)
{
    public decimal Total => Quantity * Price;

    public OrderItemState ToState(int[] products) => new(products[Product], Name, Quantity, Price, Total);
}

internal sealed record SeedOrder(
    int User, string Address, string? Tracking, SeedItem[] Items, OrderStatusState[] History)
{
    public DateTimeOffset? Delivered => TimeOf("Delivered");

    public bool IsPossible(int[] users, int[] products) =>
        users[User] != SeededChunks.Missing && Existing(products) is not [];

    /// <summary>The order without the items whose products do not exist.</summary>
    public OrderState ToState(int id, int[] users, int[] products)
    {
        var items = Existing(products);
        return new(
            id, users[User], History[0].Time, History[^1].Status, items.Sum(item => item.Total), Address, Tracking,
            TimeOf("Shipped"), Delivered,
            [.. items.Select(item => item.ToState(products)).OrderBy(item => item.ProductId)], History, 1);
    }

    private SeedItem[] Existing(int[] products) =>
        Array.FindAll(Items, item => products[item.Product] != SeededChunks.Missing);

    private DateTimeOffset? TimeOf(string status) => Array.Find(History, change => change.Status == status)?.Time;
}

internal sealed record SeedReview(
    int Product, int User, int Rating, string? Comment, DateTimeOffset Created, bool IsVerifiedPurchase)
{
    public bool IsPossible(int[] users, int[] products) =>
        users[User] != SeededChunks.Missing && products[Product] != SeededChunks.Missing;

    public ReviewState ToState(int id, int[] users, int[] products) =>
        new(id, products[Product], users[User], Rating, Comment, Created, IsVerifiedPurchase, 1);
}
