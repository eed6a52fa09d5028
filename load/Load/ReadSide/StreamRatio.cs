using ApexShop.Load.WriteSide;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// GET /products/stream of the seeded shop's 15,000 products: from memory, after changes and by rows, against psql's
/// COPY of the same bodies and against EF Core over the tables that they come from, all in turns.
/// </summary>
internal static class StreamRatio
{
    private const int WarmUps = 8;
    private const int Rounds = 21;
    private const int EfCoreGoal = 6;
    private const string All = "NOT is_deleted";
    private const string Some = "NOT is_deleted AND is_active";
    private const string Json = "application/json";
    private const string Rewritten = "after every segment changed";

    // The goal is that of a stream right after every segment changed.
    private static readonly (string Name, string MediaType, double Goal)[] formats =
        [("JSON", Json, 1.5), ("NDJSON", "application/x-ndjson", 1.5), ("MessagePack", "application/x-msgpack", 1.2)];

    // COPY does not compress, so a compressed stream has a goal only when its segments are kept.
    private static readonly (string Name, string? Coding, int Changed, double? Goal)[] compressed =
    [
        ("unchanged, br", "br", 0, 0.35), ("unchanged, gzip", "gzip", 0, 0.35),
        ("after 3 segments changed, br", "br", 3, null), ("after every segment changed, br", "br", int.MaxValue, null),
    ];

    private static readonly (string Name, string? Coding, int Changed, double? Goal)[] states =
    [
        ("unchanged", null, 0, 0.35), ("after 3 segments changed", null, 3, 0.6),
        (Rewritten, null, int.MaxValue, null), .. compressed,
    ];

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(BenchOptions options, CancellationToken ct)
    {
        await using var shop = await StreamRatioShop.StartAsync(ct);
        var copies = new Series("COPY", token => shop.CopyAsync(All, token));
        var copiesOfSome = new Series("COPY of the active", token => shop.CopyAsync(Some, token));
        var efCore = new Series("EF Core", token => shop.EfCoreAsync(token));
        var rows = new Series("rows, JSON", token => shop.StreamActiveAsync(Json, token));
        var coded = new Series("rows, JSON, br", token => shop.StreamActiveAsync(Json, token, "br"));
        var streams = formats.SelectMany(format => states.Select(state => (
            Goal: state.Name == Rewritten ? format.Goal : state.Goal,
            Series: new Series(
                $"{format.Name} {state.Name}",
                token => shop.StreamAsync(format.MediaType, state.Coding, state.Changed, token))))).ToList();

        // Each once a round, so that other work of the machine affects all of them.
        Series[] all = [copies, copiesOfSome, efCore, rows, .. streams.Select(stream => stream.Series), coded];
        var rounds = options.Rounds(Rounds);
        for (var round = 1 - options.WarmUps(WarmUps); round <= rounds; round++)
        {
            foreach (var series in all) await series.TakeAsync(round > 0, ct);
            if (round > 0)
                await options.ReportAsync($"  round {round} of {rounds}, ms: {string.Join(", ", all.AsEnumerable())}");
        }

        return
        [
            .. streams.Select(stream => stream.Series.Against(copies, stream.Goal)),
            rows.Against(copiesOfSome, 1.15),
            Figure.OfRatio(
                "EF Core's time against JSON's, unchanged", efCore.Over(streams[0].Series), "at least 6.00", ratio =>
                    ratio >= EfCoreGoal),
            .. all.Select(series => series.Times),
        ];
    }

    private sealed class Series(string name, Func<CancellationToken, Task<double>> takeAsync)
    {
        private readonly List<double> milliseconds = [];

        public Figure Times => Figure.Of($"15,000 products, {name}", "ms", "0.0", milliseconds);

        public async Task TakeAsync(bool counts, CancellationToken ct)
        {
            var time = await takeAsync(ct);
            if (counts) milliseconds.Add(time);
        }

        public IReadOnlyList<double> Over(Series other) =>
            [.. milliseconds.Zip(other.milliseconds, (mine, theirs) => mine / theirs)];

        public Figure Against(Series copy, double? goal)
        {
            var what = $"stream of 15,000 products, {name}, time against COPY's";
            return goal is { } most
                ? Figure.OfRatio(what, Over(copy), $"at most {Figure.Number(most, "0.00")}", ratio => ratio <= most)
                : Figure.OfRatio(what, Over(copy));
        }

        public override string ToString() => $"{name} {Figure.Number(milliseconds[^1], "0.0")}";
    }
}
