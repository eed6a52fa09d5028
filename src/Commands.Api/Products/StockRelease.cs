using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Products;

/// <summary>
/// Returns the quantities of an order to stock, with versions and events, in the caller's transaction.
/// </summary>
internal sealed class StockRelease(ShopDbContext db, EventOutbox outbox, TimeProvider clock)
{
    // LEAST: stock may have been set to any value since, and a cancellation must not fail because of an overflow. A
    // product with the largest stock does not change, so it has no event.
    public async Task ReleaseAsync(IReadOnlyList<ProductQuantity> lines, CancellationToken ct)
    {
        int[] ids = [.. lines.Select(line => line.ProductId)];
        long[] quantities = [.. lines.Select(line => line.Quantity)];
        await db.LockForChangeAsync<Product>(ids, ct);
        await outbox.ChangeAsync(
            Resource.Products.Name,
            $"""
            UPDATE shop.products AS p
            SET stock = LEAST(p.stock + line.quantity, {int.MaxValue}),
                version = p.version + 1,
                updated_date = {clock.GetUtcMicroseconds()}
            FROM unnest({ids}, {quantities}) AS line (id, quantity)
            WHERE p.id = line.id AND p.stock < {int.MaxValue}
            RETURNING p.id, p.version, shop.product_state(p), {EventTypes.ProductStockChanged}
            """,
            ct);
    }
}
