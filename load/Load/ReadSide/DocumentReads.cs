using ApexShop.Load.WriteSide;
using ApexShop.Queries.Api.Reading;
using ApexShop.ReadModels;

namespace ApexShop.Load.ReadSide;

/// <summary>GET /products/{id}, in memory and without caches.</summary>
internal static class DocumentReads
{
    private const double UncachedGoal = 0.80;

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(BenchOptions options, CancellationToken ct)
    {
        await using var bench = await ReadBench.StartAsync(ReadBench.Products, ct);
        return
        [
            .. await CachedRatio.MeasureAsync(bench, "/products/7", ReadBench.BodyLength, options, ct),
            .. await UncachedAsync(
                bench, CacheSize.None, ReadBench.Products, Wrk.Connections, UncachedGoal, options, ct),
        ];
    }

    // The API reads the same columns of many rows in one statement; pgbench those of one.
    public static async Task<IReadOnlyList<Figure>> UncachedAsync(
        ReadBench bench, CacheSize size, int products, int callers, double goal, BenchOptions options,
        CancellationToken ct)
    {
        await using var queries = await bench.QueriesAsync(size);
        using var control = new Pgbench(bench.ConnectionString, ReadDatabase.ScanSettings, callers).Script($"""
            \set id random(1, {products})
            SELECT id, version, (SELECT epoch FROM {ReadTables.Epoch}), revision, body
                FROM {ReadTables.Of("products")} WHERE id = :id AND NOT is_deleted;
            """);
        using var paths = await CodedPaths.OfAsync(queries.Url, Shuffled(products), ReadBench.BodyLength, ct);
        return await new ReadRatio(queries, control, paths, size, callers)
            .MeasureAsync("GET /products/{id}", goal, options, ct);
    }

    /// <summary>All documents, each once, in an order that is not that of the table.</summary>
    public static string[] Shuffled(int products)
    {
        var ids = Enumerable.Range(1, products).ToArray();
        new Random(1).Shuffle(ids);
        return [.. ids.Select(id => $"/products/{id}")];
    }
}
