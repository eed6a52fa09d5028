using ApexShop.Load.WriteSide;

namespace ApexShop.Load.ReadSide;

/// <summary>The speed of the read side; each area gives figures, and those with a goal decide the exit code.</summary>
internal static class QueryBench
{
    public const string Verb = "queries";

    private const string All = "all";

    private delegate Task<IReadOnlyList<Figure>> Area(Pace pace, CancellationToken ct);

    private static readonly Dictionary<string, Area> areas = new(StringComparer.Ordinal)
    {
        ["documents"] = DocumentReads.MeasureAsync,
        ["pages"] = PageReads.MeasureAsync,
        ["streams"] = StreamsAsync,
        ["memory"] = (pace, ct) => StreamMemory.MeasureAsync(pace.Progress, ct),
        ["depth"] = DepthRatio.MeasureAsync,
        ["start"] = ColdStart.MeasureAsync,
    };

    /// <summary>Their names, for the one who asks for another.</summary>
    public static string Areas => string.Join(' ', [.. areas.Keys, All, Pace.Quick]);

    public static bool Knows(string name) => name is All or Pace.Quick || areas.ContainsKey(name);

    /// <summary>Gives 0 when every goal is reached and 1 when one is missed.</summary>
    public static async Task<int> RunAsync(IReadOnlyList<string> names, TextWriter output, CancellationToken ct)
    {
        var figures = new List<Figure>();
        var pace = new Pace(output, names.Contains(Pace.Quick));
        var wanted = names.Where(areas.ContainsKey).ToList();
        foreach (var name in wanted.Count == 0 || names.Contains(All) ? [.. areas.Keys] : wanted)
        {
            await output.WriteLineAsync($"{name}:");
            figures.AddRange(await areas[name](pace, ct));
        }

        await output.WriteLineAsync("\n| what | goal | median | range | |\n|---|---|---|---|---|");
        foreach (var figure in figures) await output.WriteLineAsync(figure.ToString());
        return figures.Exists(figure => figure.Missed) ? 1 : 0;
    }

    // It has one pace only: its rounds are short.
    private static Task<IReadOnlyList<Figure>> StreamsAsync(Pace pace, CancellationToken ct) =>
        StreamRatio.RunAsync(pace.Progress, ct);
}
