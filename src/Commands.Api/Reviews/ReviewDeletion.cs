using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>
/// Deletes the reviews of deleted products or users, with their events, in the caller's transaction. They are locked in
/// id order, since a product and a user of the same reviews may be deleted at the same time.
/// </summary>
internal sealed class ReviewDeletion(ShopDbContext db, ChunkedDeletion deletion)
{
    public Task DeleteOfProductsAsync(int[] productIds, CancellationToken ct) =>
        DeleteAsync("product_id", productIds, ct);

    public Task DeleteOfUsersAsync(int[] userIds, CancellationToken ct) =>
        DeleteAsync("user_id", userIds, ct);

    // A range of one value leaves only the index of the column, as in RowReferences.
    private async Task DeleteAsync(string column, int[] owners, CancellationToken ct)
    {
        var sql =
            $$"""
            SELECT review.id FROM unnest({0}) AS owner (id)
            JOIN shop.reviews AS review ON review.{{column}} >= owner.id AND review.{{column}} <= owner.id
            ORDER BY review.id FOR UPDATE OF review
            """;
        var ids = await db.Database.SqlQueryRaw<int>(sql, [owners]).ToArrayAsync(ct);
        await deletion.DeleteAsync(EventTypes.ReviewDeleted, Resource.Reviews.Name, ids, ct);
    }
}
