using System.Diagnostics;
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

/// <summary>Takes the quantities of an order from stock, with versions and events, in one statement.</summary>
internal sealed class StockReservation(EventOutbox outbox, Actor actor, TimeProvider clock)
{
    // The products are locked in id order, so that two orders of the same products wait for each other instead of
    // deadlocking. All values are those of the locked rows: two orders cannot both sell the last piece. The update must
    // not calculate with p.stock, which is of the statement's begin until PostgreSQL detects a change since then, and
    // that is after it has checked the constraint on stock.
    private const string Sql =
        """
        WITH line AS (
            SELECT * FROM unnest($1, $2) AS line (product_id, quantity)
        ), product AS MATERIALIZED (
            SELECT id, name, price, stock, is_active, version FROM shop.products WHERE id = ANY ($1) ORDER BY id
            FOR NO KEY UPDATE
        ), changed AS (
            UPDATE shop.products AS p
            SET stock = product.stock - line.quantity, version = product.version + 1, updated_date = $3
            FROM product JOIN line ON product_id = product.id
            WHERE p.id = product.id AND NOT EXISTS (
                SELECT FROM line LEFT JOIN product ON product.id = line.product_id
                WHERE (product.is_active AND product.stock >= line.quantity) IS NOT TRUE)
            RETURNING p.id, p.version, shop.product_state(p) AS data
        ), written AS (
            INSERT INTO shop.outbox (type, resource, aggregate_id, version, trace_parent, actor, data)
            SELECT $4, 'products', id, version, $5, $6, data FROM changed ORDER BY id
            RETURNING aggregate_id, version
        )
        SELECT id, name, price, stock, is_active, written.version
        FROM product LEFT JOIN written ON aggregate_id = id ORDER BY id
        """;

    /// <summary>A statement that takes all lines from stock, or none and writes nothing.</summary>
    public NpgsqlBatchCommand Command(IReadOnlyList<ProductQuantity> lines) => new(Sql)
    {
        Parameters =
        {
            new NpgsqlParameter<int[]> { TypedValue = [.. lines.Select(line => line.ProductId)] },
            new NpgsqlParameter<long[]> { TypedValue = [.. lines.Select(line => line.Quantity)] },
            new NpgsqlParameter<DateTimeOffset> { TypedValue = clock.GetUtcMicroseconds() },
            new NpgsqlParameter<string> { TypedValue = EventTypes.ProductStockChanged },
            new NpgsqlParameter<string?> { TypedValue = Activity.Current?.Id },
            new NpgsqlParameter<string> { TypedValue = actor.Name },
        },
    };

    /// <summary>What the statement returned: the products, or why nothing was taken.</summary>
    public async Task<Result<IReadOnlyList<ReservedProduct>>> ReadAsync(
        NpgsqlDataReader rows, IReadOnlyList<ProductQuantity> lines, CancellationToken ct)
    {
        var products = new List<ReservedProduct>(lines.Count);
        var taken = 0;
        while (await rows.ReadAsync(ct))
        {
            products.Add(new(
                rows.GetInt32(0), rows.GetString(1), rows.GetDecimal(2), rows.GetInt32(3), rows.GetBoolean(4)));
            if (rows.IsDBNull(5)) continue;
            outbox.RecordChange(Resource.Products.Name, products[^1].Id, rows.GetInt64(5));
            taken++;
        }

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
