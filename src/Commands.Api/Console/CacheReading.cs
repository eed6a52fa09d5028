using System.Globalization;
using System.Text;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Console;

/// <summary>How often the queries find their answers, by the counters of their metrics pages.</summary>
internal sealed class CacheReading(Neighbour neighbour, IOptions<QueriesOptions> options)
{
    private const string Hits = "apexshop_cache_hits";
    private const string Misses = "apexshop_cache_misses";

    public async Task<CachePart> ReadAsync(string? authorization, CancellationToken ct)
    {
        var all = await Task.WhenAll(options.Value.Urls.Select(url => neighbour.AskAsync(url, "/metrics", authorization, ct)));
        var processes = all.Select(said => new CacheProcess(said.Url, said.State, said.Reason, said.IsOk ? CountsOf(Encoding.UTF8.GetString(said.Body)) : null)).ToList();
        var counts = processes.Select(process => process.Counts).OfType<CacheCounts>().ToList();
        var answers = counts.Sum(one => one.MemoryHits + one.RedisHits + one.Misses);
        return new(
            ProjectionReading.StateOf(processes.Select(process => process.State)),
            Share(counts.Sum(one => one.MemoryHits), answers),
            Share(counts.Sum(one => one.RedisHits), answers),
            processes);
    }

    /// <summary>The counters of a page of Prometheus text; one that never counted is not on the page.</summary>
    public static CacheCounts CountsOf(string page)
    {
        long memory = 0, redis = 0, misses = 0;
        foreach (var line in page.AsSpan().EnumerateLines())
        {
            if (line.StartsWith(Misses, StringComparison.Ordinal)) misses += ValueOf(line);
            else if (!line.StartsWith(Hits, StringComparison.Ordinal)) continue;
            else if (line.Contains("level=\"memory\"", StringComparison.Ordinal)) memory += ValueOf(line);
            else if (line.Contains("level=\"redis\"", StringComparison.Ordinal)) redis += ValueOf(line);
        }

        return new(memory, redis, misses);
    }

    private static double? Share(long hits, long answers) => answers == 0 ? null : Math.Round((double)hits / answers, 4);

    // The name and its labels, the value, and perhaps a time.
    private static long ValueOf(ReadOnlySpan<char> line)
    {
        var labels = line.LastIndexOf('}');
        var rest = line[(labels < 0 ? line.IndexOf(' ') + 1 : labels + 1)..].Trim();
        var end = rest.IndexOf(' ');
        return double.TryParse(end < 0 ? rest : rest[..end], NumberStyles.Float, CultureInfo.InvariantCulture, out var value) ? (long)value : 0;
    }
}
