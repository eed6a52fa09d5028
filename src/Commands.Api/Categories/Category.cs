using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Categories;

/// <summary>A shelf of the shop; every product stands in one.</summary>
internal sealed class Category
{
    private Category()
    {
    }

    public int Id { get; private set; }

    public string Name { get; private set; } = "";

    public string? Description { get; private set; }

    public bool IsActive { get; private set; }

    public DateTimeOffset CreatedDate { get; private set; }

    public long Version { get; private set; }

    /// <param name="body">What it is.</param>
    /// <param name="now">When it is created.</param>
    /// <param name="id">Zero lets the context give it one.</param>
    public static Category New(CategoryInput.Body body, DateTimeOffset now, int id = 0)
    {
        var category = new Category { Id = id, CreatedDate = now };
        category.Take(body);
        return category;
    }

    public DomainEvent Created() => Changed(EventTypes.CategoryCreated);

    public DomainEvent Replace(CategoryInput.Body body)
    {
        Take(body);
        return Changed(EventTypes.CategoryUpdated);
    }

    public DomainEvent Deleted() =>
        new(EventTypes.CategoryDeleted, Resource.Categories.Name, new DeletedState(Id, Version + 1));

    private DomainEvent Changed(string type)
    {
        Version++;
        return new DomainEvent(type, Resource.Categories.Name, new CategoryState(Id, Name, Description, IsActive, CreatedDate, Version));
    }

    private void Take(CategoryInput.Body body) =>
        (Name, Description, IsActive) = (body.Name, body.Description, body.IsActive);
}
