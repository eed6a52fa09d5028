using ApexShop.Load.WriteSide;
using ApexShop.TestKit;
using ApexShop.TestKit.Metrics;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// Responses that Queries.Api reads, against pgbench with the same SELECT: once with a result for each request, and
/// once with a pipeline, which has no goal. Half of the rounds accept compressed responses.
/// </summary>
internal sealed class ReadRatio(ShopProcess queries, Pgbench control, CodedPaths paths, CacheSize size, int callers)
{
    private const int WarmUps = 3;
    private const int Pairs = 14;
    private const double Seconds = 3;

    // Of the responses that a cache which is too small may still have.
    private const double FoundAtMost = 0.05;

    private readonly List<bool> areCoded = [];
    private readonly List<double> latencies = [];
    private readonly List<double> costs = [];

    /// <summary>Whether each miss is looked up in Redis and stored there; otherwise Redis is not checked.</summary>
    public bool AsksRedis { get; init; }

    public async Task<IReadOnlyList<Figure>> MeasureAsync(
        string name, double? goal, BenchOptions options, CancellationToken ct)
    {
        var what = $"{name}, {(size == CacheSize.None ? "caches off" : "a miss")}, callers: {callers}";
        await options.ReportAsync($" {what}");
        var before = await CountsAsync(ct);
        var rounds =
            new Rounds(() => control.RateAsync(options.Turn(Seconds), ct), () => RateAsync(options.Turn(Seconds), ct));
        await rounds.TakeAsync(options.WarmUps(WarmUps), 2 * options.Rounds(Pairs / 2), "a second", options);
        if (size == CacheSize.TooSmall) CheckMisses(before, await CountsAsync(ct));
        var piped = new List<double>();
        for (var round = 0; round < options.Rounds(Pairs); round++)
            piped.Add(await control.PipelinedRateAsync(options.Turn(1), ct));
        return
        [
            Ratio(what, rounds, isCoded: false, goal),
            Ratio($"{what}, {CodedPaths.Header}", rounds, isCoded: true, goal),
            Figure.Of(what, "a second", "0", rounds.Ours),
            Figure.Of("pgbench, same select", "a second", "0", rounds.Control),
            Figure.Of("pgbench, the same in a pipeline", "a second", "0", piped),
            Figure.Of($"{what}: processor time of the API", "us", "0.0", [.. costs.TakeLast(rounds.Ours.Count)]),
            Figure.Of($"{what}: p99", "ms", "0.0", [.. latencies.TakeLast(rounds.Ours.Count)]),
        ];
    }

    private Figure Ratio(string what, Rounds rounds, bool isCoded, double? goal)
    {
        var coded = areCoded.TakeLast(rounds.Ours.Count).ToList();
        List<double> ratios = [.. rounds.Ratios.Where((_, round) => coded[round] == isCoded)];
        var title = $"{what}: rate against pgbench's";
        return goal is { } least
            ? Figure.OfRatio(title, ratios, FormattableString.Invariant($"at least {least:0.00}"), one => one >= least)
            : Figure.OfRatio(title, ratios);
    }

    private async Task<double> RateAsync(TimeSpan turn, CancellationToken ct)
    {
        var before = queries.ProcessorTime;
        var requested = paths.Next();
        var load = await Wrk.RunAsync(requested, queries.Url, turn, ct, callers);
        areCoded.Add(requested.Header is not null);
        costs.Add((queries.ProcessorTime - before).TotalMicroseconds / load.Requests);
        latencies.Add(load.P99Milliseconds);
        return load.Rate;
    }

    private async Task<(double Hits, double Misses, long RedisCalls)> CountsAsync(CancellationToken ct)
    {
        var metrics = MetricsText.Parse(
            await queries.Http.GetStringAsync(new Uri("/metrics", UriKind.Relative), ct));
        return (
            metrics.Sum("apexshop_cache_hits_total"),
            metrics.Sum("apexshop_cache_misses_total"),
            await RedisCalls.CountAsync());
    }

    private void CheckMisses(
        (double Hits, double Misses, long RedisCalls) before, (double Hits, double Misses, long RedisCalls) after)
    {
        var (hits, misses) = (after.Hits - before.Hits, after.Misses - before.Misses);
        if (misses == 0 || hits > FoundAtMost * misses)
            throw new InvalidOperationException(
                $"Misses were to be measured, but {hits} of {hits + misses} responses were found in a cache.");
        // One look-up and one entry each.
        var calls = after.RedisCalls - before.RedisCalls;
        if (AsksRedis && calls < 2 * (1 - FoundAtMost) * misses)
            throw new InvalidOperationException($"Redis was to be asked, but had {calls} calls for {misses} misses.");
    }
}
