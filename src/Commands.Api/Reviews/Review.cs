using ApexShop.Events;

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

    public static Review New(int productId, int userId, int rating, string? comment, bool isVerifiedPurchase, DateTimeOffset now) =>
        new()
        {
            ProductId = productId,
            UserId = userId,
            Rating = rating,
            Comment = comment,
            IsVerifiedPurchase = isVerifiedPurchase,
            CreatedDate = now,
        };

    public DomainEvent Created() => Changed(EventTypes.ReviewCreated);

    public DomainEvent Replace(int rating, string? comment)
    {
        (Rating, Comment) = (rating, comment);
        return Changed(EventTypes.ReviewUpdated);
    }

    public DomainEvent Deleted() =>
        new(EventTypes.ReviewDeleted, Resources.Reviews, new DeletedState(Id, Version + 1));

    private DomainEvent Changed(string type)
    {
        Version++;
        return new DomainEvent(type, Resources.Reviews, new ReviewState(
            Id, ProductId, UserId, Rating, Comment, CreatedDate, IsVerifiedPurchase, Version));
    }
}
