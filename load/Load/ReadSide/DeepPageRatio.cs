using ApexShop.Load.WriteSide;
using ApexShop.TestKit;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// GET /products/{id} of a million products at 32 connections, while 64 others request numbered pages without a pause:
/// the 99th percentile of its times against that without them. The caches are too small for either. Only pages that are
/// read have a goal: 64 callers of the first page, which is in memory, show what any request does to the others on the
/// same processors; a refusal is sent after 100 ms.
/// </summary>
internal static class DeepPageRatio
{
    private const int Products = 1_000_000;
    private const int Documents = 15_000;
    private const int Others = 64;
    private const int Size = 20;
    private const int WarmUps = 1;
    private const int Pairs = 7;
    private const double Seconds = 4;
    private const double Goal = 2.0;

    // The others begin before the measured requests and end after them.
    private static readonly TimeSpan lead = TimeSpan.FromSeconds(1);

    private static readonly string[] sorts = ["name", "price", "-price", "rating"];

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(BenchOptions options, CancellationToken ct)
    {
        await options.ReportAsync($" making {Products:N0} products");
        await using var bench = await ReadBench.StartAsync(Products, ct);
        await using var queries = await bench.QueriesAsync(CacheSize.TooSmall);
        var ids = Enumerable.Range(1, Products).ToArray();
        new Random(1).Shuffle(ids);
        using var documents = await Paths.OfAsync(
            queries.Url, [.. ids.Take(Documents).Select(id => $"/products/{id}")], ReadBench.BodyLength, ct);
        return
        [
            .. await MeasureAsync(queries, documents, "the first page", 1, 2, null, options, ct),
            .. await MeasureAsync(queries, documents, "the last pages that are allowed", 300, 500, Goal, options, ct),
            .. await MeasureAsync(queries, documents, "pages that are too deep", 30_000, 45_000, null, options, ct),
        ];
    }

    private static async Task<IReadOnlyList<Figure>> MeasureAsync(
        ShopProcess queries, Paths documents, string name, int first, int end, double? goal,
        BenchOptions options, CancellationToken ct)
    {
        await options.ReportAsync($" beside {Others} callers of {name}");
        using var pages = await Paths.UncheckedAsync(
            Enumerable.Range(first, end - first).SelectMany(
                page => sorts.Select(sort => $"/products/v2?sort={sort}&pageSize={Size}&page={page}")),
            ct);
        var turn = options.Turn(Seconds);
        var (rates, refused) = (new List<double>(), new List<double>());
        async Task<double> BesideAsync()
        {
            var others = Wrk.DisturbAsync(pages, queries.Url, turn + lead + lead, Others, ct);
            await Task.Delay(lead, ct);
            var load = await Wrk.RunAsync(documents, queries.Url, turn, ct);
            var (rate, part) = await others;
            rates.Add(rate);
            refused.Add(100 * part);
            return load.P99Milliseconds;
        }

        var rounds = new Rounds(
            async () => (await Wrk.RunAsync(documents, queries.Url, turn, ct)).P99Milliseconds, BesideAsync);
        await rounds.TakeAsync(options.WarmUps(WarmUps), options.Rounds(Pairs), "ms", options);
        var what = $"GET /products/{{id}} beside {Others} callers of {name}: p99";
        return
        [
            Figure.OfRatio(
                $"{what} against p99 without them", rounds.Ratios,
                goal is null ? "-" : FormattableString.Invariant($"at most {goal:0.00}"),
                ratio => goal is null || ratio <= goal),
            Figure.Of(what, "ms", "0.0", rounds.Ours),
            Figure.Of("their responses", "a second", "0", [.. rates.TakeLast(rounds.Ours.Count)]),
            Figure.Of("their responses that are refusals", "%", "0", [.. refused.TakeLast(rounds.Ours.Count)]),
            Figure.Of("GET /products/{id} alone: p99", "ms", "0.0", rounds.Control),
        ];
    }
}
