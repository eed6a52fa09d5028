using System.Runtime.CompilerServices;
using ApexShop.Commands.Api.Bulk;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>
/// Deletes the reviews of deleted products or users, with their events, in the caller's transaction. They are locked in
/// id order, since a product and a user of the same reviews may be deleted at the same time.
/// </summary>
internal sealed class ReviewDeletion(ChunkedChange changes)
{
    public Task DeleteOfProductsAsync(int[] productIds, CancellationToken ct) =>
        DeleteAsync("product_id", productIds, ct);

    public Task DeleteOfUsersAsync(int[] userIds, CancellationToken ct) =>
        DeleteAsync("user_id", userIds, ct);

    private Task<int> DeleteAsync(string column, int[] ids, CancellationToken ct)
    {
        var delete =
            $$"""
            DELETE FROM shop.reviews WHERE id = ANY (ARRAY(
                SELECT id FROM shop.reviews WHERE {{column}} = ANY ({0}) AND id > {1}
                ORDER BY id LIMIT {2} FOR UPDATE))
            """;
        return changes.DeleteAsync(
            EventTypes.ReviewDeleted,
            Resource.Reviews.Name,
            chunk => FormattableStringFactory.Create(delete, ids, chunk.After, chunk.Rows),
            ct);
    }
}
