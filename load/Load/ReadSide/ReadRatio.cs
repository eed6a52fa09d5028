using ApexShop.Load.WriteSide;
using ApexShop.TestKit;
using ApexShop.TestKit.Metrics;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// Responses that Queries.Api reads, against pgbench with the same SELECT: once with a result for each request, and
/// once with a pipeline, which has no goal.
/// </summary>
internal sealed class ReadRatio(ShopProcess queries, Pgbench control, Paths paths, CacheSize size, int callers)
{
    private const int WarmUps = 3;
    private const int Pairs = 7;
    private const double Seconds = 3;

    // Of the responses that a cache which is too small may still have.
    private const double FoundAtMost = 0.05;

    private readonly List<double> latencies = [];
    private readonly List<double> costs = [];

    public async Task<IReadOnlyList<Figure>> MeasureAsync(
        string name, double goal, BenchOptions options, CancellationToken ct)
    {
        var what = $"{name}, {(size == CacheSize.None ? "caches off" : "a miss")}, callers: {callers}";
        await options.ReportAsync($" {what}");
        var rounds =
            new Rounds(() => control.RateAsync(options.Turn(Seconds), ct), () => RateAsync(options.Turn(Seconds), ct));
        await rounds.TakeAsync(options.WarmUps(WarmUps), options.Rounds(Pairs), "a second", options);
        if (size == CacheSize.TooSmall) await CheckMissesAsync(ct);
        var piped = new List<double>();
        for (var round = 0; round < options.Rounds(Pairs); round++)
            piped.Add(await control.PipelinedRateAsync(options.Turn(1), ct));
        return
        [
            Figure.OfRatio(
                $"{what}: rate against pgbench's", rounds.Ratios,
                FormattableString.Invariant($"at least {goal:0.00}"), ratio => ratio >= goal),
            Figure.Of(what, "a second", "0", rounds.Ours),
            Figure.Of("pgbench, same select", "a second", "0", rounds.Control),
            Figure.Of("pgbench, the same in a pipeline", "a second", "0", piped),
            Figure.Of($"{what}: processor time of the API", "us", "0.0", [.. costs.TakeLast(rounds.Ours.Count)]),
            Figure.Of($"{what}: p99", "ms", "0.0", [.. latencies.TakeLast(rounds.Ours.Count)]),
        ];
    }

    private async Task<double> RateAsync(TimeSpan turn, CancellationToken ct)
    {
        var before = queries.ProcessorTime;
        var load = await Wrk.RunAsync(paths, queries.Url, turn, ct, callers);
        costs.Add((queries.ProcessorTime - before).TotalMicroseconds / load.Requests);
        latencies.Add(load.P99Milliseconds);
        return load.Rate;
    }

    private async Task CheckMissesAsync(CancellationToken ct)
    {
        var metrics = MetricsText.Parse(
            await queries.Http.GetStringAsync(new Uri("/metrics", UriKind.Relative), ct));
        var (hits, misses) = (metrics.Sum("apexshop_cache_hits_total"), metrics.Sum("apexshop_cache_misses_total"));
        if (misses == 0 || hits > FoundAtMost * misses)
            throw new InvalidOperationException(
                $"Misses were to be measured, but {hits} of {hits + misses} responses were found in a cache.");
    }
}
