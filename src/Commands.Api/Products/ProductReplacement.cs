using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Products;

/// <summary>Replaces products by the set, in the caller's transaction: what Product.Replace does to one.</summary>
internal sealed class ProductReplacement(ShopDbContext db, EventOutbox outbox, TimeProvider clock)
{
    private sealed record Locked(int Id, long Version);

    /// <summary>The products that there are, with their versions, locked in id order.</summary>
    public async Task<Dictionary<int, long>> LockAsync(int[] ids, CancellationToken ct)
    {
        var rows = await db.Database.SqlQuery<Locked>(
            $"""SELECT id AS "Id", version AS "Version" FROM shop.products WHERE id = ANY ({ids}) ORDER BY id FOR NO KEY UPDATE""").ToListAsync(ct);
        return rows.ToDictionary(row => row.Id, row => row.Version);
    }

    public Task WriteAsync(IReadOnlyList<ProductInput.Item> items, CancellationToken ct) => outbox.ChangeAsync(
        EventTypes.ProductUpdated,
        Resource.Products.Name,
        $"""
        UPDATE shop.products AS p
        SET name = item.name, description = item.description, price = item.price, stock = item.stock,
            is_active = item.is_active, is_featured = item.is_featured, category_id = item.category_id,
            version = p.version + 1, updated_date = {clock.GetUtcMicroseconds()}
        FROM unnest({Replacements.Ids(items)}, {items.Column(item => item.Name)}, {items.Column(item => item.Description)},
            {items.Column(item => item.Price!.Value)}, {items.Column(item => item.Stock!.Value)}, {items.Column(item => item.IsActive)},
            {items.Column(item => item.IsFeatured)}, {items.Column(item => item.CategoryId!.Value)})
            AS item (id, name, description, price, stock, is_active, is_featured, category_id)
        WHERE p.id = item.id
        RETURNING p.id, p.version, shop.product_state(p)
        """,
        ct);
}
