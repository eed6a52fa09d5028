using ApexShop.Load.WriteSide;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// A cached response of Queries.Api through its whole pipeline, against a bare endpoint that sends the same bytes and
/// headers, and against the framework's output cache.
/// </summary>
internal static class CachedRatio
{
    private const int WarmUps = 4;
    private const int Pairs = 9;
    private const double Seconds = 2;
    private const double BareGoal = 0.96;
    private const double CacheGoal = 1.05;

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(
        ReadBench bench, string path, int leastBody, BenchOptions options, CancellationToken ct,
        string? encodings = null)
    {
        var queries = await bench.QueriesAsync(CacheSize.Usual);
        if (encodings is not null) queries.Http.DefaultRequestHeaders.Add("Accept-Encoding", encodings);
        var header = encodings is null ? null : $"Accept-Encoding: {encodings}";
        var (response, headers) = await ResponseAsync(queries.Http, path, ct);
        var what = $"GET {path} in memory{(header is null ? "" : $", {header}")}";
        using var ours = await Paths.OfAsync(queries.Url, [path], leastBody, ct, header);
        var figures = new List<Figure>();
        foreach (var isCached in (bool[])[false, true])
        {
            var (name, goal) = isCached ? ("the output cache", CacheGoal) : ("bare Kestrel", BareGoal);
            var control = await bench.BareAsync(path, response, headers, isOutputCached: isCached);
            using var theirs = await Paths.OfAsync(control.Url, [path], leastBody, ct, header);
            await options.ReportAsync($" {what}, against {name}");
            var costs = (Theirs: new List<double>(), Ours: new List<double>());
            var rounds = new Rounds(
                () => RateAsync(theirs, control.Url, () => control.ProcessorTime, costs.Theirs, options, ct),
                () => RateAsync(ours, queries.Url, () => queries.ProcessorTime, costs.Ours, options, ct));
            await rounds.TakeAsync(options.WarmUps(WarmUps), options.Rounds(Pairs), "a second", options);
            figures.AddRange(Figures(what, name, goal, rounds, costs.Theirs, costs.Ours));
        }

        return figures;
    }

    // The body, and the headers that a control does not send by itself.
    private static async Task<(byte[] Body, IReadOnlyList<string> Headers)> ResponseAsync(
        HttpClient http, string path, CancellationToken ct)
    {
        using var response = await http.GetAsync(new Uri(path, UriKind.Relative), ct);
        var all = response.Headers.Concat(response.Content.Headers.Where(header => header.Key == "Content-Encoding"));
        return (
            await response.Content.ReadAsByteArrayAsync(ct),
            [.. all.Where(header => header.Key != "Date").Select(
                header => $"{header.Key}: {string.Join(", ", header.Value)}")]);
    }

    private static IEnumerable<Figure> Figures(
        string what, string control, double goal, Rounds rounds, List<double> controlCosts, List<double> costs) =>
    [
        Figure.OfRatio(
            $"{what}, rate against {control}'s", rounds.Ratios,
            FormattableString.Invariant($"at least {goal:0.00}"), ratio => ratio >= goal),
        Figure.Of(what, "a second", "0", rounds.Ours),
        Figure.Of($"{control}, same bytes and headers", "a second", "0", rounds.Control),
        Figure.Of($"{what}, processor time of a request", "us", "0.0", [.. costs.TakeLast(rounds.Ours.Count)]),
        Figure.Of($"{control}, the same", "us", "0.0", [.. controlCosts.TakeLast(rounds.Ours.Count)]),
    ];

    private static async Task<double> RateAsync(
        Paths paths, Uri server, Func<TimeSpan> processorTime, List<double> costs, BenchOptions options,
        CancellationToken ct)
    {
        var before = processorTime();
        var load = await Wrk.RunAsync(paths, server, options.Turn(Seconds), ct);
        costs.Add((processorTime() - before).TotalMicroseconds / load.Requests);
        return load.Rate;
    }
}
