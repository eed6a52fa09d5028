using System.Runtime.CompilerServices;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>
/// Reviews that go with their products or users: rows and outbox rows in one statement a chunk, in the caller's
/// transaction. Locked in id order, as reviews are everywhere: a product and a user may go at the same time.
/// </summary>
internal sealed class ReviewRemoval(ChunkedChange changes)
{
    public Task DeleteOfProductsAsync(int[] productIds, CancellationToken ct) => DeleteAsync("product_id", productIds, ct);

    public Task DeleteOfUsersAsync(int[] userIds, CancellationToken ct) => DeleteAsync("user_id", userIds, ct);

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
