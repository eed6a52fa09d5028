using System.Text.Json;
using ApexShop.Load.WriteSide;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Extensions.Options;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// Pages of 20 products after a cursor: in memory, and without caches with several filters and sorts, also of a
/// catalogue in which most products are inactive or sold out.
/// </summary>
internal static class PageReads
{
    internal const int Size = 20;
    internal const int Places = 24;
    private const double UncachedGoal = 0.60;

    // Sorts, flags, ranges, an equality and searches; no single index covers them.
    private static readonly string[] lists =
    [
        "", "sort=price", "sort=-price&minPrice=1000&maxPrice=9000", "sort=name", "sort=rating", "categoryId=7",
        "isActive=true",
        "modifiedAfter=2024-01-02", "categoryId=7&inStock=true&sort=price", "q=common3",
    ];

    // The lists of a catalogue in which one product in twenty is active, and one in twenty in stock.
    private static readonly string[] skewedLists =
        ["isActive=true", "inStock=true&sort=price", "categoryId=7&isActive=true"];

    internal static Cursors Cursors { get; } = new(Options.Create(new ReadingOptions { CursorKey = TestKeys.Cursors }));

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(BenchOptions options, CancellationToken ct)
    {
        await using var bench = await ReadBench.StartAsync(ReadBench.Products, ct);
        var figures = new List<Figure>();
        var first = $"/products/cursor?pageSize={Size}";
        figures.AddRange(await CachedRatio.MeasureAsync(bench, first, Size * ReadBench.BodyLength, options, ct));
        figures.AddRange(await CachedRatio.MeasureAsync(bench, first, 1, options, ct, "br, gzip"));
        var queries = await bench.QueriesAsync(CacheSize.None);
        foreach (var query in lists) figures.AddRange(await UncachedAsync(bench, queries, query, query, options, ct));
        await bench.SkewAsync(ct);
        foreach (var query in skewedLists)
            figures.AddRange(await UncachedAsync(bench, queries, query, $"{query} (skewed)", options, ct));
        return figures;
    }

    private static async Task<IReadOnlyList<Figure>> UncachedAsync(
        ReadBench bench, ShopProcess queries, string query, string name, BenchOptions options, CancellationToken ct)
    {
        var list = List(query);
        var tokens = await CursorsAsync(queries, query, ct);
        // A search is planned with its values each time, as in the API.
        var settings = list.IsIndexScan ? ReadDatabase.ScanSettings : ReadDatabase.SearchSettings;
        using var control = new Pgbench(bench.ConnectionString, settings);
        foreach (var token in tokens)
            control.Statement(
                ListCommands.PageCommand(list, ScanStart.After(Cursors.Read(list, token)!.Value.At), Size));
        using var paths = await CodedPaths.OfAsync(
            queries.Url, [.. tokens.Select(token => Path(query, "after", token))], Size * ReadBench.BodyLength, ct);
        var what = $"GET /products/cursor?{name}&after=...".Replace("?&", "?", StringComparison.Ordinal);
        return await new ReadRatio(queries, control, paths, CacheSize.None, Wrk.Connections)
            .MeasureAsync(what, UncachedGoal, options, ct);
    }

    /// <summary>Cursors of the list, far from each other, that have a whole page after them.</summary>
    private static async Task<IReadOnlyList<string>> CursorsAsync(
        ShopProcess queries, string query, CancellationToken ct)
    {
        var tokens = new List<string>();
        for (var attempt = 1; tokens.Count < Places && attempt < ReadBench.Products; attempt++)
        {
            // Spreads ids by a number that is coprime to their count.
            var id = (int)(attempt * 7919L % ReadBench.Products) + 1;
            if (await NextAsync(queries, Path(query, "afterId", $"{id}"), ct) is not { } token) continue;
            if (await NextAsync(queries, Path(query, "after", token), ct) is not null) tokens.Add(token);
        }

        return tokens.Count == Places
            ? tokens
            : throw new InvalidOperationException($"The list '{query}' has too few pages.");
    }

    private static async Task<string?> NextAsync(ShopProcess queries, string path, CancellationToken ct)
    {
        await using var page = await queries.Http.GetStreamAsync(new Uri(path, UriKind.Relative), ct);
        using var json = await JsonDocument.ParseAsync(page, cancellationToken: ct);
        return json.RootElement.GetProperty("nextCursor").GetString();
    }

    internal static string Path(string query, string place, string value) =>
        $"/products/cursor?{(query.Length > 0 ? query + "&" : "")}pageSize={Size}&{place}={value}";

    internal static ListQuery List(string query) => ListQuery.From(
        ReadModel.All[0], new QueryParameters(new QueryCollection(QueryHelpers.ParseQuery(query))));
}
