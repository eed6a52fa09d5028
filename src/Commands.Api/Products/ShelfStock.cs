using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Results;
using ApexShop.Events;
using ApexShop.Resources;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Products;

/// <summary>A new stock, or so many pieces more or fewer: one of the two.</summary>
internal sealed record StockMove(int? Stock, int? Delta)
{
    public long From(int stock) => Delta is { } delta ? (long)stock + delta : Stock!.Value;

    public bool Fits(int stock) => From(stock) is >= 0 and <= int.MaxValue;
}

/// <summary>A product's stock, read under its lock.</summary>
internal sealed record ShelfPlace(int Id, int Stock);

/// <summary>Moves the stock of a whole category, chunk by chunk, in the caller's transaction.</summary>
internal sealed class ShelfStock(ShopDbContext db, EventOutbox outbox, IOptions<LimitOptions> limits, TimeProvider clock)
{
    /// <summary>Products of a full chunk; one with fewer is the last.</summary>
    public int ChunkRows => limits.Value.ChunkRows;

    /// <summary>The category's next products beyond an id, without those that the move would leave as they are.</summary>
    public Task<List<ShelfPlace>> LockAsync(int categoryId, StockMove move, int after, CancellationToken ct) =>
        db.Database.SqlQuery<ShelfPlace>(
            $"""
            SELECT id AS "Id", stock AS "Stock" FROM shop.products
            WHERE category_id = {categoryId} AND id > {after} AND stock <> {move.Stock ?? -1}
            ORDER BY id LIMIT {ChunkRows} FOR NO KEY UPDATE
            """).ToListAsync(ct);

    public Task<int> ApplyAsync(IReadOnlyList<ShelfPlace> places, StockMove move, CancellationToken ct)
    {
        var ids = places.Select(place => place.Id).ToArray();
        var stocks = places.Select(place => (int)move.From(place.Stock)).ToArray();
        return outbox.ChangeAsync(
            EventTypes.ProductStockChanged,
            Resource.Products.Name,
            $"""
            UPDATE shop.products AS p
            SET stock = place.stock, version = p.version + 1, updated_date = {clock.GetUtcMicroseconds()}
            FROM unnest({ids}, {stocks}) AS place (id, stock)
            WHERE p.id = place.id
            RETURNING p.id, p.version, shop.product_state(p)
            """,
            ct);
    }

    /// <summary>Why the products cannot all take the move; the first that cannot are named.</summary>
    public async Task<Problem?> RefusalAsync(IReadOnlyList<ShelfPlace> places, StockMove move, CancellationToken ct)
    {
        var ids = places.Where(place => !move.Fits(place.Stock)).Select(place => place.Id).Take(Problem.NamedAtMost).ToList();
        if (ids.Count == 0) return null;

        var products = await db.Products.Where(product => ids.Contains(product.Id)).OrderBy(product => product.Id)
            .Select(product => new { product.Id, product.Name, product.Stock }).ToListAsync(ct);
        var names = string.Join(", ", products.Select(product => product.Name));
        var (code, detail) = move.Delta < 0
            ? ("product.stock_below_zero", $"Less is in stock than would be taken: {names}. Nothing was changed.")
            : ("product.stock_too_large", $"More would be in stock than {int.MaxValue}: {names}. Nothing was changed.");
        return Problem.Conflict(code, detail) with { Extensions = new() { ["products"] = products } };
    }
}
