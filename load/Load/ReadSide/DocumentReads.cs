using ApexShop.Load.WriteSide;
using ApexShop.Queries.Api.Reading;
using ApexShop.ReadModels;

namespace ApexShop.Load.ReadSide;

/// <summary>GET /products/{id}: in memory, with caches that do not have it, and without caches.</summary>
internal static class DocumentReads
{
    private const double CachedGoal = 0.85;
    private const double UncachedGoal = 0.80;
    private const double MissGoal = 0.85;

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(BenchOptions options, CancellationToken ct)
    {
        await using var bench = await ReadBench.StartAsync(ReadBench.Products, ct);
        return
        [
            .. await CachedRatio.MeasureAsync(bench, "/products/7", ReadBench.BodyLength, CachedGoal, options, ct),
            .. await UncachedAsync(bench, CacheSize.None, Wrk.Connections, UncachedGoal, options, ct),
            .. await UncachedAsync(bench, CacheSize.TooSmall, Wrk.Connections, MissGoal, options, ct),
            .. await UncachedAsync(bench, CacheSize.TooSmall, 1, MissGoal, options, ct),
        ];
    }

    // The API reads the same columns of many rows in one statement; pgbench those of one.
    private static async Task<IReadOnlyList<Figure>> UncachedAsync(
        ReadBench bench, CacheSize size, int callers, double goal, BenchOptions options, CancellationToken ct)
    {
        await using var queries = await bench.QueriesAsync(size);
        using var control = new Pgbench(bench.ConnectionString, ReadDatabase.ScanSettings, callers).Script($"""
            \set id random(1, {ReadBench.Products})
            SELECT id, version, (SELECT epoch FROM {ReadTables.ProjectionState}), revision, body
                FROM {ReadTables.Of("products")} WHERE id = :id AND NOT is_deleted;
            """);
        var shuffled = Enumerable.Range(1, ReadBench.Products).ToArray();
        new Random(1).Shuffle(shuffled);
        using var paths =
            await Paths.OfAsync(queries.Url, [.. shuffled.Select(id => $"/products/{id}")], ReadBench.BodyLength, ct);
        return await new ReadRatio(queries, control, paths, size, callers)
            .MeasureAsync("GET /products/{id}", goal, options, ct);
    }
}
