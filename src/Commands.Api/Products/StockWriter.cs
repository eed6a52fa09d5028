using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Products;

/// <summary>A new stock or a difference: one of the two is null.</summary>
internal sealed record StockChange(int? Stock, int? Delta)
{
    public const string ZeroDelta = "The delta must not be 0.";

    public IEnumerable<ValidationResult> Validate()
    {
        if (Stock is null == Delta is null)
            yield return new("Either stock or delta is needed.", [nameof(Stock), nameof(Delta)]);
    }

    public long AppliedTo(int stock) => Delta is { } delta ? (long)stock + delta : Stock!.Value;

    public bool Fits(int stock) => AppliedTo(stock) is >= 0 and <= int.MaxValue;
}

/// <summary>The stock of a locked product.</summary>
internal sealed record LockedStock(int Id, int Stock);

/// <summary>
/// Changes the stock of locked products in the caller's transaction: all those of a category, chunk by chunk, or one.
/// </summary>
internal sealed class StockWriter(
    ShopDbContext db, EventOutbox outbox, IOptions<LimitOptions> limits, TimeProvider clock)
{
    /// <summary>The size of a full chunk; a smaller chunk is the last.</summary>
    public int ChunkRows => limits.Value.ChunkRows;

    /// <summary>
    /// Plans the statements of the transaction with their values. Plans for a category of average size would read all
    /// products of a large one for each chunk.
    /// </summary>
    public Task PlanForValuesAsync(CancellationToken ct) =>
        db.Database.ExecuteSqlAsync($"SET LOCAL plan_cache_mode = force_custom_plan", ct);

    /// <summary>Locks the category's next products after an id, except those that have the new stock already.</summary>
    public Task<List<LockedStock>> LockAsync(int categoryId, StockChange change, int after, CancellationToken ct) =>
        db.Database.SqlQuery<LockedStock>(
            $"""
            SELECT id AS "Id", stock AS "Stock" FROM shop.products
            WHERE category_id = {categoryId} AND id > {after} AND stock <> {change.Stock ?? -1}
            ORDER BY id LIMIT {ChunkRows} FOR NO KEY UPDATE
            """).ToListAsync(ct);

    public async Task<int> ApplyAsync(IReadOnlyList<LockedStock> products, StockChange change, CancellationToken ct)
    {
        var ids = products.Select(product => product.Id).ToArray();
        var stocks = products.Select(product => (int)change.AppliedTo(product.Stock)).ToArray();
        var result = await outbox.ChangeAsync(
            Resource.Products.Name,
            $"""
            UPDATE shop.products AS p
            SET stock = item.stock, version = p.version + 1, updated_date = {clock.GetUtcMicroseconds()}
            FROM unnest({ids}, {stocks}) AS item (id, stock)
            WHERE p.id = item.id
            RETURNING p.id, p.version, shop.product_state(p), {EventTypes.ProductStockChanged}
            """,
            ct);
        return result.Changed;
    }

    /// <summary>
    /// The problem, if the new stock of a product is out of range; the first such products are listed.
    /// </summary>
    public async Task<Problem?> RefusalAsync(
        IReadOnlyList<LockedStock> locked, StockChange change, CancellationToken ct)
    {
        var ids = locked.Where(one => !change.Fits(one.Stock)).Select(one => one.Id).Take(Problem.MaxListed).ToList();
        if (ids.Count == 0) return null;

        var products = await db.Products.Where(product => ids.Contains(product.Id)).OrderBy(product => product.Id)
            .Select(product => new { product.Id, product.Name, product.Stock }).ToListAsync(ct);
        var names = string.Join(", ", products.Select(product => product.Name));
        var (code, detail) = change.Delta < 0
            ? ("product.stock_below_zero", $"The stock would be negative: {names}. Nothing was changed.")
            : ("product.stock_too_large", $"The stock would exceed {int.MaxValue}: {names}. Nothing was changed.");
        return Problem.Conflict(code, detail) with { Extensions = new() { ["products"] = products } };
    }
}
