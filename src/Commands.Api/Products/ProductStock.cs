using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Results;
using ApexShop.Events;
using ApexShop.Resources;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Products;

/// <summary>So many pieces of one product.</summary>
internal sealed record StockLine(int ProductId, long Quantity);

/// <summary>Moves stock by the set: rows, versions and outbox rows in one statement, in the caller's transaction.</summary>
internal sealed class ProductStock(ShopDbContext db, EventOutbox outbox, TimeProvider clock)
{
    /// <summary>Takes all the lines or none; gives the products back as they were, for their prices.</summary>
    public async Task<Result<IReadOnlyList<Product>>> ReserveAsync(IReadOnlyList<StockLine> lines, CancellationToken ct)
    {
        var products = await LockAsync(lines, ct);
        if (lines.FirstOrDefault(line => products.All(p => p.Id != line.ProductId)) is { } unknown)
            return Problem.Conflict("product.unknown", $"There is no product {unknown.ProductId}.");
        if (products.Find(p => !p.IsActive) is { } inactive)
            return Problem.Conflict("product.inactive", $"Product {inactive.Id}, {inactive.Name}, is not for sale.");

        var taken = await MoveAsync([.. lines.Select(line => line with { Quantity = -line.Quantity })], ct);
        return taken == lines.Count ? products : SoldOut(products, lines);
    }

    public async Task GiveBackAsync(IReadOnlyList<StockLine> lines, CancellationToken ct)
    {
        await LockAsync(lines, ct);
        await MoveAsync(lines, ct);
    }

    // The condition on stock keeps two orders from both selling the last piece; a line it turns away is not counted.
    // Stock may have been set to anything since it was taken: a full shelf must not keep an order from being cancelled.
    private Task<int> MoveAsync(IReadOnlyList<StockLine> changes, CancellationToken ct) => outbox.ChangeAsync(
        EventTypes.ProductStockChanged,
        Resource.Products.Name,
        $"""
        UPDATE shop.products AS p
        SET stock = LEAST(p.stock + change.quantity, {int.MaxValue}),
            version = p.version + 1,
            updated_date = {clock.GetUtcMicroseconds()}
        FROM unnest({Ids(changes)}, {Quantities(changes)}) AS change (id, quantity)
        WHERE p.id = change.id AND p.stock + change.quantity >= 0
        RETURNING p.id, p.version, shop.product_state(p)
        """,
        ct);

    // Everybody locks in id order: two orders of the same products wait for each other instead of deadlocking.
    private Task<List<Product>> LockAsync(IReadOnlyList<StockLine> lines, CancellationToken ct) => db.Products
        .FromSql($"SELECT * FROM shop.products WHERE id = ANY ({Ids(lines)}) ORDER BY id FOR NO KEY UPDATE")
        .AsNoTracking()
        .ToListAsync(ct);

    private static Problem SoldOut(List<Product> products, IReadOnlyList<StockLine> lines)
    {
        var missing = lines
            .Join(products, line => line.ProductId, product => product.Id, (line, product) => (line, product))
            .Where(pair => pair.product.Stock < pair.line.Quantity)
            .Select(pair => new { pair.product.Id, pair.product.Name, pair.product.Stock, pair.line.Quantity })
            .ToList();
        var names = string.Join(", ", missing.Select(product => product.Name));
        return new Problem(StatusCodes.Status409Conflict, "product.sold_out", $"Sold out: {names}. Nothing was reserved.")
        {
            Extensions = { ["products"] = missing },
        };
    }

    private static int[] Ids(IReadOnlyList<StockLine> lines) => [.. lines.Select(line => line.ProductId)];

    private static long[] Quantities(IReadOnlyList<StockLine> lines) => [.. lines.Select(line => line.Quantity)];
}
