using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>
/// Reviews that go with their products or users: rows and outbox rows in one statement a chunk, in the caller's
/// transaction. Locked in id order, as reviews are everywhere: a product and a user may go at the same time.
/// </summary>
internal sealed class ReviewRemoval(ChunkedChange changes)
{
    public Task DeleteOfProductsAsync(int[] productIds, CancellationToken ct) => changes.DeleteAsync(
        EventTypes.ReviewDeleted,
        Resources.Reviews,
        chunk =>
            $"""
            DELETE FROM shop.reviews WHERE id = ANY (ARRAY(
                SELECT id FROM shop.reviews WHERE product_id = ANY ({productIds}) AND id > {chunk.After}
                ORDER BY id LIMIT {chunk.Rows} FOR UPDATE))
            """,
        ct);

    public Task DeleteOfUsersAsync(int[] userIds, CancellationToken ct) => changes.DeleteAsync(
        EventTypes.ReviewDeleted,
        Resources.Reviews,
        chunk =>
            $"""
            DELETE FROM shop.reviews WHERE id = ANY (ARRAY(
                SELECT id FROM shop.reviews WHERE user_id = ANY ({userIds}) AND id > {chunk.After}
                ORDER BY id LIMIT {chunk.Rows} FOR UPDATE))
            """,
        ct);
}
