using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Products;

/// <summary>
/// A product of the shop. Orders and changes of the stock alone use set-based statements
/// (<see cref="StockReservation"/>, <see cref="StockWriter"/>), not this class.
/// </summary>
internal sealed class Product : IAggregate
{
    private Product()
    {
    }

    public static Resource Resource => Resource.Products;

    public int Id { get; private set; }

    public string Name { get; private set; } = "";

    public string? Description { get; private set; }

    public decimal Price { get; private set; }

    public int Stock { get; private set; }

    public bool IsActive { get; private set; }

    public bool IsFeatured { get; private set; }

    public int CategoryId { get; private set; }

    public DateTimeOffset CreatedDate { get; private set; }

    public DateTimeOffset? UpdatedDate { get; private set; }

    public long Version { get; private set; }

    public string? Sku { get; private set; }

    public string? Slug { get; private set; }

    // Not public: EF would map a public list of a class to another table.
    internal IReadOnlyList<ProductImageState> Images { get; private set; } = [];

    /// <param name="body">The values of the request.</param>
    /// <param name="now">The time of creation.</param>
    /// <param name="id">With 0 the context assigns the id.</param>
    public static Product New(ProductInput.Body body, DateTimeOffset now, int id = 0)
    {
        var product = new Product { Id = id, CreatedDate = now };
        product.Apply(body.ToReplacement());
        return product;
    }

    public DomainEvent Created() => Changed(EventTypes.ProductCreated);

    /// <summary>The event, or null if the product has all these values already.</summary>
    public DomainEvent? Replace(ProductInput.Replacement body, DateTimeOffset now)
    {
        var before = State();
        Apply(body);
        if (State() == before) return null;
        UpdatedDate = now;
        return Changed(EventTypes.ProductUpdated);
    }

    /// <summary>The current values of all fields that can be replaced.</summary>
    public ProductInput.Replacement Values() => new(
        Name, Price, CategoryId, Stock, Description, IsActive, IsFeatured, Sku, Slug,
        [.. Images.Select(ProductInput.Image.Of)]);

    public bool DiffersInStock(ProductInput.Replacement body) => body.Stock is { } stock && stock != Stock;

    public DomainEvent Deleted() =>
        new(EventTypes.ProductDeleted, Resource.Name, new DeletedState(Id, Version + 1));

    private DomainEvent Changed(string type)
    {
        Version++;
        return new DomainEvent(type, Resource.Name, State());
    }

    private ProductState State() => new(
        Id, Name, Description, Price, Stock, IsActive, IsFeatured, CategoryId, CreatedDate, UpdatedDate, Version,
        Sku, Slug, Images);

    private void Apply(ProductInput.Replacement body)
    {
        (Name, Description, IsActive, IsFeatured) = (body.Name, body.Description, body.IsActive, body.IsFeatured);
        (Price, Stock, CategoryId) = (body.Price!.Value, body.Stock ?? Stock, body.CategoryId!.Value);
        (Sku, Slug) = (body.Sku, body.Slug);
        // States compare lists by reference, so equal images stay the same list.
        IReadOnlyList<ProductImageState> images = [.. (body.Images ?? []).Select(image => image.ToState())];
        if (!images.SequenceEqual(Images)) Images = images;
    }
}
