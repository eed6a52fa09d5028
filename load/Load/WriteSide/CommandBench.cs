namespace ApexShop.Load.WriteSide;

/// <summary>The speed of the write side; each area has figures, and those with a goal decide the exit code.</summary>
internal static class CommandBench
{
    public const string Verb = "commands";

    private delegate Task<IReadOnlyList<Figure>> Area(BenchShop shop, TextWriter progress, CancellationToken ct);

    private static readonly Dictionary<string, Area> areas = new(StringComparer.Ordinal)
    {
        ["post"] = PostRatio.MeasureAsync,
        ["orders"] = OrderRatio.MeasureAsync,
        ["bulk"] = BulkRatio.MeasureAsync,
        ["stock"] = StockRatio.MeasureAsync,
        ["outbox"] = OutboxSpeed.MeasureAsync,
        ["memory"] = MemoryOverTime.MeasureAsync,
    };

    /// <summary>The names of the areas, for the usage text.</summary>
    public static string Areas => string.Join(' ', areas.Keys);

    public static bool Knows(string name) => areas.ContainsKey(name);

    /// <summary>Returns 0 when every goal is reached and 1 when one is missed.</summary>
    public static async Task<int> RunAsync(IReadOnlyList<string> names, TextWriter output, CancellationToken ct)
    {
        var figures = new List<Figure>();
        foreach (var name in names.Count > 0 ? names : [.. areas.Keys])
        {
            // Each area has its own shop, so that the rows of one area do not slow another.
            await output.WriteLineAsync($"{name}:");
            await using var shop = await BenchShop.StartAsync(ct);
            figures.AddRange(await areas[name](shop, output, ct));
        }

        return await Figure.WriteAsync(output, figures);
    }
}
