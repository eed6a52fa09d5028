using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using ApexShop.Load.WriteSide;
using ApexShop.ReadModels;
using ApexShop.TestKit;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// GET /products/suggest of a million products, one at a time, each with another text. The name of a product has one of
/// 20 common words (each in 50,000 products), one of 500, one of 5,000 and one of 50,000 words.
/// </summary>
internal static class SuggestionTimes
{
    private const int Products = 1_000_000;
    private const int Requests = 500;
    private const int Turns = 7;
    private const double Goal = 10;

    private static readonly int[] vocabularies = [20, 500, 5_000, 50_000];

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(BenchOptions options, CancellationToken ct)
    {
        await options.ReportAsync($" making {Products:N0} products");
        await using var bench = await ReadBench.StartAsync(Products, ct);
        foreach (var sql in Statements()) await bench.ExecuteAsync(sql, ct);
        await using var queries = await bench.QueriesAsync(CacheSize.None);
        var first = Stopwatch.GetTimestamp();
        await SuggestAsync(queries, "a", ct);
        await options.ReportAsync(string.Create(
            CultureInfo.InvariantCulture,
            $" the first suggestion, which reads all words: {Stopwatch.GetElapsedTime(first).TotalMilliseconds:0} ms"));
        var (common, less, some, rare) = (
            await WordsAsync(bench, 1, ct), await WordsAsync(bench, 2, ct),
            await WordsAsync(bench, 3, ct), await WordsAsync(bench, 4, ct));
        string Any(Random random, string[] words) => words[random.Next(words.Length)];
        return
        [
            await MeasureAsync(
                queries, "a beginning of 1 to 5 letters", random => Beginning(random, rare, 5), options, ct),
            await MeasureAsync(
                queries, "a word with a typing error", random => Mistyped(random, rare), options, ct),
            await MeasureAsync(
                queries, "a common word and a beginning",
                random => $"{Any(random, common)} {Beginning(random, some, 4)}", options, ct),
            await MeasureAsync(
                queries, "two common words and a beginning",
                random => $"{Any(random, common)} {Any(random, less)} {Beginning(random, some, 4)}", options, ct),
        ];
    }

    private static async Task<Figure> MeasureAsync(
        ShopProcess queries, string what, Func<Random, string> text, BenchOptions options, CancellationToken ct)
    {
        await options.ReportAsync($" {what}");
        var random = new Random(1);
        var (slowest, found) = (new List<double>(), 0);
        for (var turn = 0; turn <= options.Rounds(Turns); turn++)
        {
            var times = new double[Requests];
            for (var i = 0; i < Requests; i++)
            {
                var typed = text(random);
                var began = Stopwatch.GetTimestamp();
                found += await SuggestAsync(queries, typed, ct);
                times[i] = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
            }

            if (turn > 0) slowest.Add(Statistics.Percentile(times, 0.99));
        }

        if (found < Requests) throw new InvalidOperationException($"{what} found {found} suggestions only.");
        var median = Statistics.Median(slowest);
        var (goal, name) = ("at most 10 ms", $"GET /products/suggest with {what}, {Products:N0} products: p99");
        return Figure.Of(name, "ms", "0.0", slowest) with { Goal = goal, Missed = median > Goal };
    }

    private static Task<string[]> WordsAsync(ReadBench bench, int place, CancellationToken ct) =>
        bench.AskAsync<string[]>($"SELECT array_agg(DISTINCT words[{place}]) FROM {ReadTables.ProductNameWords}", ct);

    private static async Task<int> SuggestAsync(ShopProcess queries, string typed, CancellationToken ct)
    {
        var path = new Uri($"/products/suggest?q={Uri.EscapeDataString(typed)}", UriKind.Relative);
        using var response = JsonDocument.Parse(await queries.Http.GetByteArrayAsync(path, ct));
        return response.RootElement.GetProperty("data").GetArrayLength();
    }

    private static string Beginning(Random random, string[] words, int most) =>
        words[random.Next(words.Length)][..random.Next(1, most + 1)];

    private static string Mistyped(Random random, string[] words) =>
        words[random.Next(words.Length)].Remove(random.Next(1, 4), 1);

    private static IEnumerable<string> Statements()
    {
        var words = string.Join(", ", vocabularies.Select((count, place) => string.Create(
            CultureInfo.InvariantCulture,
            $"translate(left(md5({place} || '/' || abs(hashint4(id + {place}) % {count})), 10), "
                + $"'0123456789', 'klmnopqrst')")));
        yield return $"INSERT INTO {ReadTables.ProductNameWords} SELECT id, ARRAY[{words}] "
            + $"FROM {ReadTables.Of("products")}";
        yield return $"INSERT INTO {ReadTables.NameWordCounts} SELECT word, count(*) "
            + $"FROM {ReadTables.ProductNameWords} CROSS JOIN unnest(words) AS word GROUP BY word";
        yield return $"""
            DROP INDEX read.product_words_by_word;
            TRUNCATE {ReadTables.ProductWords};
            INSERT INTO {ReadTables.ProductWords}
            SELECT product_id, to_tsvector('english', array_to_string(words, ' ')) FROM {ReadTables.ProductNameWords};
            CREATE INDEX product_words_by_word ON {ReadTables.ProductWords} USING gin (words);
            UPDATE {ReadTables.Of("products")} SET is_active = true WHERE NOT is_active
            """;
        yield return $"VACUUM ANALYZE {ReadTables.ProductWords}";
        yield return $"VACUUM ANALYZE {ReadTables.NameWordCounts}";
        yield return $"VACUUM ANALYZE {ReadTables.Of("products")}";
    }
}
