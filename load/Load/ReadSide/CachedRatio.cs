using ApexShop.Load.WriteSide;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// A cached response of Queries.Api through its whole pipeline, against a bare endpoint that sends the same
/// bytes.
/// </summary>
internal static class CachedRatio
{
    private const int WarmUps = 4;
    private const int Pairs = 9;
    private const double Seconds = 2;

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(
        ReadBench bench,
        string path,
        int leastBody,
        double goal,
        BenchOptions options,
        CancellationToken ct,
        string? encodings = null)
    {
        var queries = await bench.QueriesAsync(CacheSize.Usual);
        if (encodings is not null) queries.Http.DefaultRequestHeaders.Add("Accept-Encoding", encodings);
        var header = encodings is null ? null : $"Accept-Encoding: {encodings}";
        var response = await queries.Http.GetByteArrayAsync(new Uri(path, UriKind.Relative), ct);
        var bare = await bench.BareAsync(path.Split('?')[0], response);
        using var fromBare = await Paths.OfAsync(bare.Url, [path], leastBody, ct, header);
        using var fromQueries = await Paths.OfAsync(queries.Url, [path], leastBody, ct, header);
        var what = $"GET {path} in memory{(header is null ? "" : $", {header}")}";
        var (bareCosts, costs) = (new List<double>(), new List<double>());

        await options.ReportAsync($" {what}");
        var rounds = new Rounds(
            () => RateAsync(fromBare, bare.Url, () => bare.ProcessorTime, bareCosts, options.Turn(Seconds), ct),
            () => RateAsync(fromQueries, queries.Url, () => queries.ProcessorTime, costs, options.Turn(Seconds), ct));
        await rounds.TakeAsync(options.WarmUps(WarmUps), options.Rounds(Pairs), "a second", options);
        return
        [
            Figure.OfRatio(
                $"{what}, rate against bare Kestrel's", rounds.Ratios,
                FormattableString.Invariant($"at least {goal:0.00}"), ratio => ratio >= goal),
            Figure.Of(what, "a second", "0", rounds.Ours),
            Figure.Of("bare Kestrel, same bytes", "a second", "0", rounds.Control),
            Figure.Of($"{what}, processor time of a request", "us", "0.0", [.. costs.TakeLast(rounds.Ours.Count)]),
            Figure.Of("bare Kestrel, the same", "us", "0.0", [.. bareCosts.TakeLast(rounds.Ours.Count)]),
        ];
    }

    private static async Task<double> RateAsync(
        Paths paths, Uri server, Func<TimeSpan> processorTime, List<double> costs, TimeSpan turn, CancellationToken ct)
    {
        var before = processorTime();
        var load = await Wrk.RunAsync(paths, server, turn, ct);
        costs.Add((processorTime() - before).TotalMicroseconds / load.Requests);
        return load.Rate;
    }
}
