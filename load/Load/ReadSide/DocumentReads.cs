using ApexShop.Load.WriteSide;
using ApexShop.Queries.Api.Reading;
using ApexShop.ReadModels;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// GET /products/{id}: in memory, with caches that do not have it, and without caches. One caller at a time waits for
/// two servers in turn, so it is also compared with a minimal app that reads the same row.
/// </summary>
internal static class DocumentReads
{
    private const double CachedGoal = 0.85;
    private const double UncachedGoal = 0.80;
    private const double MissGoal = 0.85;
    private const double OneCallerGoal = 0.85;
    private const int WarmUps = 3;
    private const int Pairs = 7;
    private const double Seconds = 3;

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(BenchOptions options, CancellationToken ct)
    {
        await using var bench = await ReadBench.StartAsync(ReadBench.Products, ct);
        return
        [
            .. await CachedRatio.MeasureAsync(bench, "/products/7", ReadBench.BodyLength, CachedGoal, options, ct),
            .. await UncachedAsync(bench, CacheSize.None, Wrk.Connections, UncachedGoal, options, ct),
            .. await UncachedAsync(bench, CacheSize.TooSmall, Wrk.Connections, MissGoal, options, ct),
            .. await UncachedAsync(bench, CacheSize.TooSmall, 1, MissGoal, options, ct),
            .. await OneCallerAsync(bench, options, ct),
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
        using var paths = await ShuffledAsync(queries.Url, ct);
        return await new ReadRatio(queries, control, paths, size, callers)
            .MeasureAsync("GET /products/{id}", goal, options, ct);
    }

    private static async Task<IReadOnlyList<Figure>> OneCallerAsync(
        ReadBench bench, BenchOptions options, CancellationToken ct)
    {
        const string What = "GET /products/{id}, a miss, callers: 1";
        await options.ReportAsync($" {What}, against a minimal app");
        await using var queries = await bench.QueriesAsync(CacheSize.TooSmall);
        var minimal = await bench.BareReaderAsync();
        using var ours = await ShuffledAsync(queries.Url, ct);
        using var plain = await ShuffledAsync(minimal.Url, ct);
        var rounds = new Rounds(
            async () => (await Wrk.RunAsync(plain, minimal.Url, options.Turn(Seconds), ct, 1)).Rate,
            async () => (await Wrk.RunAsync(ours, queries.Url, options.Turn(Seconds), ct, 1)).Rate);
        await rounds.TakeAsync(options.WarmUps(WarmUps), options.Rounds(Pairs), "a second", options);
        return
        [
            Figure.OfRatio(
                $"{What}: rate against a minimal app's that reads the row", rounds.Ratios,
                FormattableString.Invariant($"at least {OneCallerGoal:0.00}"), ratio => ratio >= OneCallerGoal),
            Figure.Of("a minimal app that reads the row", "a second", "0", rounds.Control),
        ];
    }

    private static Task<Paths> ShuffledAsync(Uri server, CancellationToken ct)
    {
        var ids = Enumerable.Range(1, ReadBench.Products).ToArray();
        new Random(1).Shuffle(ids);
        return Paths.OfAsync(server, [.. ids.Select(id => $"/products/{id}")], ReadBench.BodyLength, ct);
    }
}
