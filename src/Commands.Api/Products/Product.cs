using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Products;

/// <summary>Something the shop sells. Orders move stock set-based, in StockReservation, and not through here.</summary>
internal sealed class Product
{
    private Product()
    {
    }

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

    /// <param name="body">What it is.</param>
    /// <param name="now">When it is created.</param>
    /// <param name="id">Zero lets the context give it one.</param>
    public static Product New(ProductInput.Body body, DateTimeOffset now, int id = 0)
    {
        var product = new Product { Id = id, CreatedDate = now };
        product.Take(body);
        return product;
    }

    public DomainEvent Created() => Changed(EventTypes.ProductCreated);

    public DomainEvent Replace(ProductInput.Body body, DateTimeOffset now)
    {
        Take(body);
        UpdatedDate = now;
        return Changed(EventTypes.ProductUpdated);
    }

    public DomainEvent Deleted() =>
        new(EventTypes.ProductDeleted, Resource.Products.Name, new DeletedState(Id, Version + 1));

    private DomainEvent Changed(string type)
    {
        Version++;
        return new DomainEvent(type, Resource.Products.Name, new ProductState(
            Id, Name, Description, Price, Stock, IsActive, IsFeatured, CategoryId, CreatedDate, UpdatedDate, Version));
    }

    private void Take(ProductInput.Body body)
    {
        (Name, Description, IsActive, IsFeatured) = (body.Name, body.Description, body.IsActive, body.IsFeatured);
        (Price, Stock, CategoryId) = (body.Price!.Value, body.Stock!.Value, body.CategoryId!.Value);
    }
}
