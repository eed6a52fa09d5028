using System.Diagnostics;
using Npgsql;

namespace ApexShop.Load.WriteSide;

/// <summary>
/// PATCH /products/bulk-update-stock on a category of a thousand products against a bare UPDATE ... RETURNING of the
/// same rows.
/// </summary>
internal static class StockRatio
{
    private const string Path = "/products/bulk-update-stock";
    private const int Rows = 1000;
    private const int WarmUps = 15;
    private const int Pairs = 25;
    private const double Goal = 2;

    private const string UpdateSql =
        """
        UPDATE shop.products SET stock = stock + 1, version = version + 1, updated_date = clock_timestamp()
        WHERE category_id = $1 RETURNING id, version
        """;

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(
        BenchShop shop, TextWriter progress, CancellationToken ct)
    {
        using var client = shop.Client(1);
        var categoryId = await Bodies.CreateCategoryAsync(client, ct);
        var products = Bodies.Json(Enumerable.Repeat(Bodies.Product(categoryId), Rows));
        await Bodies.TimeAsync(() => client.PostAsync(BulkRatio.Path, Bodies.Content(products), ct));
        var change = Bodies.Json(new { categoryId, delta = 1 });
        var turns = new Turns(
            shop, UpdateAsync, () => Bodies.TimeAsync(() => client.PatchAsync(Path, Bodies.Content(change), ct)));
        await turns.WarmUpAsync(WarmUps);
        await turns.TakeAsync(Pairs, "ms", progress);
        return
        [
            Figure.OfRatio(
                $"PATCH {Path} of {Rows:N0}, time against UPDATE's", turns.Ratios, "at most 2.00", ratio =>
                    ratio <= Goal),
            Figure.Of($"PATCH {Path}", "ms", "0.0", turns.Command),
            Figure.Of("UPDATE ... RETURNING", "ms", "0.0", turns.Plain),
        ];

        async Task<double> UpdateAsync()
        {
            var started = Stopwatch.GetTimestamp();
            await using var update = shop.Database.CreateCommand(UpdateSql);
            update.Parameters.Add(new NpgsqlParameter<int> { TypedValue = categoryId });
            await using var reader = await update.ExecuteReaderAsync(ct);
            var count = 0;
            while (await reader.ReadAsync(ct)) count++;
            if (count != Rows)
                throw new InvalidOperationException($"The statement changed {count} rows instead of {Rows}.");
            return Stopwatch.GetElapsedTime(started).TotalMilliseconds;
        }
    }
}
