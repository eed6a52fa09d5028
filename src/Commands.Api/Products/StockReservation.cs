using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Products;

/// <summary>A quantity of one product.</summary>
internal sealed record ProductQuantity(int ProductId, long Quantity);

/// <summary>
/// Takes the quantities of an order from stock or returns them, with versions and events, in one statement of the
/// caller's transaction.
/// </summary>
internal sealed class StockReservation(ShopDbContext db, EventOutbox outbox, TimeProvider clock)
{
    /// <summary>
    /// Takes all lines from stock or none; returns the products as they were before, for their prices.
    /// </summary>
    public async Task<Result<IReadOnlyList<Product>>> ReserveAsync(
        IReadOnlyList<ProductQuantity> lines, CancellationToken ct)
    {
        var products = await LockAsync(lines, ct);
        if (lines.FirstOrDefault(line => products.All(p => p.Id != line.ProductId)) is { } unknown)
            return Problem.Conflict("product.unknown", $"There is no product {unknown.ProductId}.");
        if (products.Find(p => !p.IsActive) is { } inactive)
            return Problem.Conflict("product.inactive", $"Product {inactive.Id}, {inactive.Name}, is not for sale.");

        var taken = await ChangeAsync([.. lines.Select(line => line with { Quantity = -line.Quantity })], ct);
        return taken.Changed == lines.Count ? products : SoldOut(products, lines);
    }

    public async Task ReleaseAsync(IReadOnlyList<ProductQuantity> lines, CancellationToken ct)
    {
        await LockAsync(lines, ct);
        await ChangeAsync(lines, ct);
    }

    // The condition on stock prevents two orders from both selling the last piece; a line that fails it is not counted.
    // LEAST: stock may have been set to any value since, and a cancellation must not fail because of an overflow.
    private Task<StatementResult> ChangeAsync(
        IReadOnlyList<ProductQuantity> changes, CancellationToken ct) => outbox.ChangeAsync(
        Resource.Products.Name,
        $"""
        UPDATE shop.products AS p
        SET stock = LEAST(p.stock + change.quantity, {int.MaxValue}),
            version = p.version + 1,
            updated_date = {clock.GetUtcMicroseconds()}
        FROM unnest({Ids(changes)}, {Quantities(changes)}) AS change (id, quantity)
        WHERE p.id = change.id AND p.stock + change.quantity >= 0
        RETURNING p.id, p.version, shop.product_state(p), {EventTypes.ProductStockChanged}
        """,
        ct);

    // In id order, so that two orders of the same products wait for each other instead of deadlocking.
    private Task<List<Product>> LockAsync(IReadOnlyList<ProductQuantity> lines, CancellationToken ct) => db.Products
        .FromSql($"SELECT * FROM shop.products WHERE id = ANY ({Ids(lines)}) ORDER BY id FOR NO KEY UPDATE")
        .AsNoTracking()
        .ToListAsync(ct);

    private static Problem SoldOut(List<Product> products, IReadOnlyList<ProductQuantity> lines)
    {
        var missing = lines
            .Join(products, line => line.ProductId, product => product.Id, (line, product) => (line, product))
            .Where(pair => pair.product.Stock < pair.line.Quantity)
            .Select(pair => new { pair.product.Id, pair.product.Name, pair.product.Stock, pair.line.Quantity })
            .ToList();
        var names = string.Join(", ", missing.Select(product => product.Name));
        var problem = Problem.Conflict("product.sold_out", $"Sold out: {names}. Nothing was reserved.");
        problem.Extensions["products"] = missing;
        return problem;
    }

    private static int[] Ids(IReadOnlyList<ProductQuantity> lines) => [.. lines.Select(line => line.ProductId)];

    private static long[] Quantities(IReadOnlyList<ProductQuantity> lines) => [.. lines.Select(line => line.Quantity)];
}
