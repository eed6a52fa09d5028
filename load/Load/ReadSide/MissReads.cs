using ApexShop.Load.WriteSide;
using ApexShop.Queries.Api.Reading;
using ApexShop.ReadModels;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// Documents and pages that no cache has, with caches that are on and another id in each request, for 32 callers and
/// for one. One caller waits for two servers in turn, so its document is also compared with a minimal app's that reads
/// the same row.
/// </summary>
internal static class MissReads
{
    // More than are requested within the second for which Redis caches here.
    private const int Products = 60_000;
    private const int WarmUps = 3;
    private const int Pairs = 7;
    private const double Seconds = 3;
    private const double Goal = 0.85;

    // Not cheap, so that a page takes the whole way: a look-up and a lease in Redis, the read, and an entry in Redis.
    private const string Walk = "isActive=true";

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(BenchOptions options, CancellationToken ct)
    {
        await using var bench = await ReadBench.StartAsync(Products, ct);
        var figures = new List<Figure>();
        foreach (var callers in (int[])[Wrk.Connections, 1])
        {
            figures.AddRange(await DocumentReads.UncachedAsync(
                bench, CacheSize.TooSmall, Products, callers, Goal, options, ct));
            figures.AddRange(await PagesAsync(bench, "", Goal, callers, options, ct));
            figures.AddRange(await PagesAsync(bench, Walk, null, callers, options, ct));
        }

        return [.. figures, .. await OneCallerAsync(bench, options, ct)];
    }

    private static async Task<IReadOnlyList<Figure>> PagesAsync(
        ReadBench bench, string query, double? goal, int callers, BenchOptions options, CancellationToken ct)
    {
        var list = PageReads.List(query);
        var epoch = await bench.AskAsync<long>($"SELECT epoch FROM {ReadTables.Epoch}", ct);
        string After(int id) => PageReads.Cursors.Write(list, new Cursor(epoch, new KeysetPosition(null, id)));
        await using var queries = await bench.QueriesAsync(CacheSize.TooSmall);
        // Behind each of them is a whole page, also where one product in twenty is not in the list.
        var ids = Enumerable.Range(1, Products - (2 * PageReads.Size)).ToArray();
        new Random(1).Shuffle(ids);
        using var control = new Pgbench(bench.ConnectionString, ReadDatabase.ScanSettings, callers);
        foreach (var id in ids.Take(PageReads.Places))
            control.Statement(ListCommands.PageCommand(
                list, ScanStart.After(new KeysetPosition(null, id)), PageReads.Size));
        using var paths = await CodedPaths.OfAsync(
            queries.Url,
            [.. ids.Select(id => PageReads.Path(query, "after", After(id)))],
            PageReads.Size * ReadBench.BodyLength,
            ct);
        return await new ReadRatio(queries, control, paths, CacheSize.TooSmall, callers)
        {
            AsksRedis = !list.IsShortScan,
        }
            .MeasureAsync($"GET {PageReads.Path(query, "after", "...")}", goal, options, ct);
    }

    private static async Task<IReadOnlyList<Figure>> OneCallerAsync(
        ReadBench bench, BenchOptions options, CancellationToken ct)
    {
        const string What = "GET /products/{id}, a miss, callers: 1";
        await options.ReportAsync($" {What}, against a minimal app");
        await using var queries = await bench.QueriesAsync(CacheSize.TooSmall);
        var minimal = await bench.BareReaderAsync();
        var documents = DocumentReads.Shuffled(Products);
        using var ours = await Paths.OfAsync(queries.Url, documents, ReadBench.BodyLength, ct);
        using var plain = await Paths.OfAsync(minimal.Url, documents, ReadBench.BodyLength, ct);
        var rounds = new Rounds(
            async () => (await Wrk.RunAsync(plain, minimal.Url, options.Turn(Seconds), ct, 1)).Rate,
            async () => (await Wrk.RunAsync(ours, queries.Url, options.Turn(Seconds), ct, 1)).Rate);
        await rounds.TakeAsync(options.WarmUps(WarmUps), options.Rounds(Pairs), "a second", options);
        return
        [
            Figure.OfRatio(
                $"{What}: rate against a minimal app's that reads the row", rounds.Ratios,
                FormattableString.Invariant($"at least {Goal:0.00}"), ratio => ratio >= Goal),
            Figure.Of(What, "a second", "0", rounds.Ours),
            Figure.Of("a minimal app that reads the row", "a second", "0", rounds.Control),
        ];
    }
}
