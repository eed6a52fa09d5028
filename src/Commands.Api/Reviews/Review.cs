using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>A user's review of a product.</summary>
internal sealed class Review : IAggregate
{
    private Review()
    {
    }

    public static Resource Resource => Resource.Reviews;

    public int Id { get; private set; }

    public int ProductId { get; private set; }

    public int UserId { get; private set; }

    public int Rating { get; private set; }

    public string? Comment { get; private set; }

    public DateTimeOffset CreatedDate { get; private set; }

    public bool IsVerifiedPurchase { get; private set; }

    public long Version { get; private set; }

    /// <param name="body">The values of the request.</param>
    /// <param name="isVerifiedPurchase">Whether the product was delivered to the user.</param>
    /// <param name="now">The time of creation.</param>
    /// <param name="id">With 0 the context assigns the id.</param>
    public static Review New(ReviewInput.Body body, bool isVerifiedPurchase, DateTimeOffset now, int id = 0) =>
        new()
        {
            Id = id,
            ProductId = body.ProductId!.Value,
            UserId = body.UserId!.Value,
            Rating = body.Rating!.Value,
            Comment = body.Comment,
            IsVerifiedPurchase = isVerifiedPurchase,
            CreatedDate = now,
        };

    public DomainEvent Created() => Changed(EventTypes.ReviewCreated);

    /// <summary>The event, or null if the review has all these values already.</summary>
    public DomainEvent? Replace(ReviewInput.Replacement body)
    {
        var before = State();
        (Rating, Comment) = (body.Rating!.Value, body.Comment);
        return State() == before ? null : Changed(EventTypes.ReviewUpdated);
    }

    /// <summary>The current values of all fields that can be replaced.</summary>
    public ReviewInput.Replacement Values() => new(Rating, Comment);

    public DomainEvent Deleted() =>
        new(EventTypes.ReviewDeleted, Resource.Name, new DeletedState(Id, Version + 1));

    private DomainEvent Changed(string type)
    {
        Version++;
        return new DomainEvent(type, Resource.Name, State());
    }

    private ReviewState State() =>
        new(Id, ProductId, UserId, Rating, Comment, CreatedDate, IsVerifiedPurchase, Version);
}
