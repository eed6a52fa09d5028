using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>Reviews as rows of COPY.</summary>
internal static class ReviewRows
{
    private const string Columns =
        "id, product_id, user_id, rating, comment, created_date, is_verified_purchase, version";

    public static CopyTable<ReviewState> Table { get; } = new(
        Resource.Reviews.Name, "shop.review_ids", EventTypes.ReviewCreated, EventJson.Wire.ReviewState,
        new CopyTarget<ReviewState>("shop.reviews", Columns, Write))
    {
        InsertOrder = (one, other) => (one.ProductId, one.UserId).CompareTo((other.ProductId, other.UserId)),
    };

    private static void Write(CopyBuffer buffer, ReviewState review) => buffer.Row()
        .Integer(review.Id).Integer(review.ProductId).Integer(review.UserId).Integer(review.Rating).Text(review.Comment)
        .Timestamp(review.CreatedDate).Boolean(review.IsVerifiedPurchase).Bigint(review.Version);
}
