using System.Text;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>How often the queries find their answers, by the counters of their metrics pages.</summary>
internal sealed class CacheReading(Neighbour neighbour, IOptions<QueriesOptions> options)
{
    public async Task<CachePart> ReadAsync(string? authorization, CancellationToken ct)
    {
        var all = await Task.WhenAll(options.Value.Urls.Select(url => neighbour.AskAsync(url, "/metrics", authorization, ct)));
        var processes = all.Select(said => new CacheProcess(said.Url.ToString(), said.State, said.Reason, said.IsOk ? CountsOf(Encoding.UTF8.GetString(said.Body)) : null)).ToList();
        var counts = processes.Select(process => process.Counts).OfType<CacheCounts>().ToList();
        var answers = counts.Sum(one => one.MemoryHits + one.RedisHits + one.Misses);
        return new(
            PartState.OfAny(processes.Select(process => process.State)),
            Share(counts.Sum(one => one.MemoryHits), answers),
            Share(counts.Sum(one => one.RedisHits), answers),
            processes);
    }

    /// <summary>What is not on the page has not been counted yet.</summary>
    public static CacheCounts CountsOf(string page)
    {
        var hits = MetricsText.Samples(page, "apexshop_cache_hits_total").ToLookup(sample => MetricsText.Label(sample.Labels, "level"), sample => (long)sample.Value);
        return new(hits["memory"].Sum(), hits["redis"].Sum(), MetricsText.Samples(page, "apexshop_cache_misses_total").Sum(sample => (long)sample.Value));
    }

    private static double? Share(long hits, long answers) => answers == 0 ? null : Math.Round((double)hits / answers, 4);
}
