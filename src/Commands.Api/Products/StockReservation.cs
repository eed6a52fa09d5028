using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Commands.Api.Products;

/// <summary>A quantity of one product.</summary>
internal sealed record ProductQuantity(int ProductId, long Quantity);

/// <summary>A product as it was before a quantity was taken from its stock.</summary>
internal sealed record ReservedProduct(int Id, string Name, decimal Price, int Stock, bool IsActive);

/// <summary>Takes the quantities of an order from stock, with versions and events.</summary>
internal sealed class StockReservation(EventOutbox outbox, TimeProvider clock)
{
    // In id order, so that two orders of the same products wait for each other instead of deadlocking. A statement of
    // its own: the next one then begins with the values of the locked rows. One statement that locks and updates finds
    // some of them in an earlier version, and PostgreSQL locks those again in another order.
    private const string LockSql =
        """
        SELECT id, name, price, stock, is_active FROM shop.products WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE
        """;

    // All lines or none, so that a refused order writes no rows that are then rolled back. The products are locked: the
    // condition reads their current stock, and two orders never both sell the last piece.
    private const string TakeSql =
        """
        UPDATE shop.products AS p
        SET stock = p.stock - line.quantity, version = p.version + 1,
            -- The time is from before the lock: a version that was waited for may be later.
            updated_date = greatest(p.updated_date, $3)
        FROM unnest($1, $2) AS line (product_id, quantity)
        WHERE p.id = line.product_id AND NOT EXISTS (
            SELECT FROM unnest($1, $2) AS needed (product_id, quantity)
                LEFT JOIN shop.products AS sold ON sold.id = needed.product_id AND sold.is_active
                    AND sold.stock >= needed.quantity
            WHERE sold.id IS NULL)
        RETURNING p.id, p.version, shop.product_state(p), $4
        """;

    /// <summary>Statements that take all lines from stock; a caller that reads a problem must roll back.</summary>
    public NpgsqlBatchCommand[] Commands(IReadOnlyList<ProductQuantity> lines)
    {
        int[] ids = [.. lines.Select(line => line.ProductId)];
        return
        [
            new(LockSql) { Parameters = { new NpgsqlParameter<int[]> { TypedValue = ids } } },
            outbox.Change(
                Resource.Products.Name,
                TakeSql,
                new NpgsqlParameter<int[]> { TypedValue = ids },
                new NpgsqlParameter<long[]> { TypedValue = [.. lines.Select(line => line.Quantity)] },
                new NpgsqlParameter<DateTimeOffset> { TypedValue = clock.GetUtcMicroseconds() },
                new NpgsqlParameter<string> { TypedValue = EventTypes.ProductStockChanged }),
        ];
    }

    /// <summary>What the statements returned: the products, for their names and prices, or a problem.</summary>
    public async Task<Result<IReadOnlyList<ReservedProduct>>> ReadAsync(
        NpgsqlDataReader rows, IReadOnlyList<ProductQuantity> lines, CancellationToken ct)
    {
        var products = new List<ReservedProduct>(lines.Count);
        while (await rows.ReadAsync(ct))
        {
            products.Add(new(
                rows.GetInt32(0), rows.GetString(1), rows.GetDecimal(2), rows.GetInt32(3), rows.GetBoolean(4)));
        }

        await rows.NextResultAsync(ct);
        var taken = await outbox.ReadChangesAsync(Resource.Products.Name, rows, ct);
        return taken == lines.Count ? products : Refusal(products, lines);
    }

    private static Problem Refusal(List<ReservedProduct> products, IReadOnlyList<ProductQuantity> lines)
    {
        if (lines.FirstOrDefault(line => !products.Exists(p => p.Id == line.ProductId)) is { } unknown)
            return Problem.Conflict("product.unknown", $"There is no product {unknown.ProductId}.");
        if (products.Find(p => !p.IsActive) is { } inactive)
            return Problem.Conflict("product.inactive", $"Product {inactive.Id}, {inactive.Name}, is not for sale.");

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
}
