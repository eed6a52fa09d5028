using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>Reviews that go with their product or user: rows and outbox rows in one statement, in the caller's transaction.</summary>
internal sealed class ReviewRemoval(EventOutbox outbox)
{
    public Task DeleteOfProductAsync(int productId, CancellationToken ct) =>
        outbox.DeleteAsync(EventTypes.ReviewDeleted, Resources.Reviews, $"DELETE FROM shop.reviews WHERE product_id = {productId}", ct);

    public Task DeleteOfUserAsync(int userId, CancellationToken ct) =>
        outbox.DeleteAsync(EventTypes.ReviewDeleted, Resources.Reviews, $"DELETE FROM shop.reviews WHERE user_id = {userId}", ct);
}
