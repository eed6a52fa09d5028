using System.Diagnostics;
using System.Text.Json;
using ApexShop.Load.WriteSide;
using ApexShop.ReadModels;
using ApexShop.TestKit;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// A page of 20 after the millionth of 1.5 million products against the page after the first, one at a time.
/// </summary>
internal static class DepthRatio
{
    private const int Products = 1_500_000;
    private const int Depth = 1_000_000;
    private const int Size = 20;
    private const int WarmUps = 3;
    private const int Pairs = 11;
    private const int PagesATurn = 300;
    private const double Goal = 1.2;

    private static readonly (string Name, string Order)[] sorts =
        [("id", "id"), ("price", "price, id"), ("name", "name COLLATE \"C\", id")];

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(BenchOptions options, CancellationToken ct)
    {
        await options.ReportAsync($" making {Products:N0} products");
        await using var bench = await ReadBench.StartAsync(Products, ct);
        var queries = await bench.QueriesAsync(CacheSize.None);
        var figures = new List<Figure>();
        foreach (var (name, order) in sorts)
        {
            var shallow = await PathAsync(bench, queries, name, order, 0, ct);
            var deep = await PathAsync(bench, queries, name, order, Depth - Size, ct);
            await options.ReportAsync($" sort={name}");
            var rounds = new Rounds(() => MedianAsync(queries, shallow, ct), () => MedianAsync(queries, deep, ct));
            await rounds.TakeAsync(options.WarmUps(WarmUps), options.Rounds(Pairs), "ms", options);
            figures.Add(
                Figure.OfRatio(
                    $"page at depth {Depth:N0} by {name}, time against depth {Size}'s", rounds.Ratios, "at most 1.20",
                    ratio => ratio <= Goal));
            figures.Add(Figure.Of($"page at depth {Depth:N0} by {name}", "ms", "0.00", rounds.Ours));
        }

        return figures;
    }

    /// <summary>The page after that row and the twenty after it, by cursor.</summary>
    private static async Task<string> PathAsync(
        ReadBench bench, ShopProcess queries, string sort, string order, int row, CancellationToken ct)
    {
        var id = await bench.AskAsync<int>(
            $"SELECT id FROM {ReadTables.Of("products")} ORDER BY {order} OFFSET {row} LIMIT 1", ct);
        var list = $"/products/cursor?sort={sort}&pageSize={Size}";
        using var page = JsonDocument.Parse(
            await queries.Http.GetByteArrayAsync(new Uri($"{list}&afterId={id}", UriKind.Relative), ct));
        return $"{list}&after={page.RootElement.GetProperty("nextCursor").GetString()}";
    }

    private static async Task<double> MedianAsync(ShopProcess queries, string path, CancellationToken ct)
    {
        var times = new double[PagesATurn];
        for (var i = 0; i < times.Length; i++)
        {
            var started = Stopwatch.GetTimestamp();
            var body = await queries.Http.GetByteArrayAsync(new Uri(path, UriKind.Relative), ct);
            times[i] = Stopwatch.GetElapsedTime(started).TotalMilliseconds;
            if (body.Length < Size * ReadBench.BodyLength)
                throw new InvalidOperationException($"{path} gave {body.Length} bytes.");
        }

        return Statistics.Median(times);
    }
}
