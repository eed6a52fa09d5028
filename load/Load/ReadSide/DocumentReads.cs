using ApexShop.Load.WriteSide;
using ApexShop.Queries.Api.Reading;
using ApexShop.ReadModels;

namespace ApexShop.Load.ReadSide;

/// <summary>GET /products/{id}: cached and uncached.</summary>
internal static class DocumentReads
{
    private const double CachedGoal = 0.85;
    private const double UncachedGoal = 0.80;

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(BenchOptions options, CancellationToken ct)
    {
        await using var bench = await ReadBench.StartAsync(ReadBench.Products, ct);
        var cached =
            await CachedRatio.MeasureAsync(bench, "/products/7", ReadBench.BodyLength, CachedGoal, options, ct);
        return [.. cached, .. await UncachedAsync(bench, options, ct)];
    }

    // The API reads the same columns of many rows in one statement; pgbench those of one.
    private static async Task<IReadOnlyList<Figure>> UncachedAsync(
        ReadBench bench, BenchOptions options, CancellationToken ct)
    {
        var queries = await bench.QueriesAsync(isCached: false);
        using var control = new Pgbench(bench.ConnectionString, ReadDatabase.ScanSettings).Script($"""
            \set id random(1, {ReadBench.Products})
            SELECT id, version, (SELECT epoch FROM {ReadTables.ProjectionState}), revision, body
                FROM {ReadTables.Of("products")} WHERE id = :id AND NOT is_deleted;
            """);
        var shuffled = Enumerable.Range(1, ReadBench.Products).ToArray();
        new Random(1).Shuffle(shuffled);
        using var paths =
            await Paths.OfAsync(queries.Url, [.. shuffled.Select(id => $"/products/{id}")], ReadBench.BodyLength, ct);
        return await new ReadRatio(queries, control, paths)
            .MeasureAsync("GET /products/{id}", UncachedGoal, options, ct);
    }
}
