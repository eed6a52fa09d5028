using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>What a user thinks of a product.</summary>
internal sealed class Review
{
    private Review()
    {
    }

    public int Id { get; private set; }

    public int ProductId { get; private set; }

    public int UserId { get; private set; }

    public int Rating { get; private set; }

    public string? Comment { get; private set; }

    public DateTimeOffset CreatedDate { get; private set; }

    public bool IsVerifiedPurchase { get; private set; }

    public long Version { get; private set; }

    /// <param name="body">Who says what about which product.</param>
    /// <param name="isVerifiedPurchase">Whether the user was delivered the product.</param>
    /// <param name="now">When it is created.</param>
    /// <param name="id">Zero lets the context give it one.</param>
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

    public DomainEvent Replace(ReviewInput.Replacement body)
    {
        (Rating, Comment) = (body.Rating!.Value, body.Comment);
        return Changed(EventTypes.ReviewUpdated);
    }

    public DomainEvent Deleted() =>
        new(EventTypes.ReviewDeleted, Resource.Reviews.Name, new DeletedState(Id, Version + 1));

    private DomainEvent Changed(string type)
    {
        Version++;
        return new DomainEvent(type, Resource.Reviews.Name, new ReviewState(
            Id, ProductId, UserId, Rating, Comment, CreatedDate, IsVerifiedPurchase, Version));
    }
}
