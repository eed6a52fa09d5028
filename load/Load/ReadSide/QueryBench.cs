using ApexShop.Load.WriteSide;

namespace ApexShop.Load.ReadSide;

/// <summary>The speed of the read side; each area has figures, and those with a goal decide the exit code.</summary>
internal static class QueryBench
{
    public const string Verb = "queries";

    private const string All = "all";

    private delegate Task<IReadOnlyList<Figure>> Area(BenchOptions options, CancellationToken ct);

    private static readonly Dictionary<string, Area> areas = new(StringComparer.Ordinal)
    {
        ["documents"] = DocumentReads.MeasureAsync,
        ["pages"] = PageReads.MeasureAsync,
        ["misses"] = MissReads.MeasureAsync,
        ["streams"] = StreamRatio.MeasureAsync,
        ["memory"] = (options, ct) => StreamMemory.MeasureAsync(options.Progress, ct),
        ["depth"] = DepthRatio.MeasureAsync,
        ["deep-pages"] = DeepPageRatio.MeasureAsync,
        ["suggest"] = SuggestionTimes.MeasureAsync,
    };

    /// <summary>The names of the areas, for the usage text.</summary>
    public static string Areas => string.Join(' ', [.. areas.Keys, All, BenchOptions.Quick]);

    public static bool Knows(string name) => name is All or BenchOptions.Quick || areas.ContainsKey(name);

    /// <summary>Returns 0 when every goal is reached and 1 when one is missed.</summary>
    public static async Task<int> RunAsync(IReadOnlyList<string> names, TextWriter output, CancellationToken ct)
    {
        var figures = new List<Figure>();
        var options = new BenchOptions(output, names.Contains(BenchOptions.Quick));
        var wanted = names.Where(areas.ContainsKey).ToList();
        foreach (var name in wanted.Count == 0 || names.Contains(All) ? [.. areas.Keys] : wanted)
        {
            await output.WriteLineAsync($"{name}:");
            figures.AddRange(await areas[name](options, ct));
        }

        return await Figure.WriteAsync(output, figures);
    }
}
