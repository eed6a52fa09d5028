using System.Text;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>Reads the hit ratios of the queries' caches from the metrics of the Queries.Api processes.</summary>
internal sealed class CacheStatusReader(PeerClient peers, IOptions<QueriesOptions> options)
{
    public async Task<CachePart> ReadAsync(string? authorization, CancellationToken ct)
    {
        var responses = await Task.WhenAll(
            options.Value.Urls.Select(url => peers.GetAsync(url, "/metrics", authorization, ct)));
        var processes = responses.Select(Process).ToList();
        var counts = processes.Select(process => process.Counts).OfType<CacheCounts>().ToList();
        var lookups = counts.Sum(one => one.MemoryHits + one.RedisHits + one.Misses);
        return new(
            PartState.OfAny(processes.Select(process => process.State)),
            Ratio(counts.Sum(one => one.MemoryHits), lookups),
            Ratio(counts.Sum(one => one.RedisHits), lookups),
            processes);
    }

    /// <summary>The counters of a metrics page; a counter that is missing is zero.</summary>
    public static CacheCounts CountsOf(string page)
    {
        var hits = MetricsPageReader.Samples(page, "apexshop_cache_hits_total")
            .ToLookup(sample => MetricsPageReader.Label(sample.Labels, "level"), sample => (long)sample.Value);
        var misses = MetricsPageReader.Samples(page, "apexshop_cache_misses_total").Sum(sample => (long)sample.Value);
        return new(hits["memory"].Sum(), hits["redis"].Sum(), misses);
    }

    private static CacheProcess Process(PeerResponse response) => new(
        response.Url.ToString(),
        response.State,
        response.Reason,
        response.IsOk ? CountsOf(Encoding.UTF8.GetString(response.Body)) : null);

    private static double? Ratio(long hits, long lookups) =>
        lookups == 0 ? null : Math.Round((double)hits / lookups, 4);
}
