using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Categories;

/// <summary>A category; every product belongs to one.</summary>
internal sealed class Category : IAggregate
{
    private Category()
    {
    }

    public static Resource Resource => Resource.Categories;

    public int Id { get; private set; }

    public string Name { get; private set; } = "";

    public string? Description { get; private set; }

    public bool IsActive { get; private set; }

    public DateTimeOffset CreatedDate { get; private set; }

    public long Version { get; private set; }

    /// <param name="body">The values of the request.</param>
    /// <param name="now">The time of creation.</param>
    /// <param name="id">With 0 the context assigns the id.</param>
    public static Category New(CategoryInput.Body body, DateTimeOffset now, int id = 0)
    {
        var category = new Category { Id = id, CreatedDate = now };
        category.Apply(body);
        return category;
    }

    public DomainEvent Created() => Changed(EventTypes.CategoryCreated);

    /// <summary>The event, or null if the category has all these values already.</summary>
    public DomainEvent? Replace(CategoryInput.Body body)
    {
        var before = State();
        Apply(body);
        return State() == before ? null : Changed(EventTypes.CategoryUpdated);
    }

    /// <summary>The current values of all fields that can be replaced.</summary>
    public CategoryInput.Body Values() => new(Name, Description, IsActive);

    public DomainEvent Deleted() =>
        new(EventTypes.CategoryDeleted, Resource.Name, new DeletedState(Id, Version + 1));

    private DomainEvent Changed(string type)
    {
        Version++;
        return new DomainEvent(type, Resource.Name, State());
    }

    private CategoryState State() => new(Id, Name, Description, IsActive, CreatedDate, Version);

    private void Apply(CategoryInput.Body body) =>
        (Name, Description, IsActive) = (body.Name, body.Description, body.IsActive);
}
