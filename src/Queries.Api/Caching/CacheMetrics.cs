using System.Diagnostics.Metrics;
using ApexShop.Queries.Api.Telemetry;

namespace ApexShop.Queries.Api.Caching;

/// <summary>Hits, misses, stale entries and evictions of the cache, by level.</summary>
internal sealed class CacheMetrics
{
    private readonly Counter<long> hits;
    private readonly Counter<long> misses;
    private readonly Counter<long> stale;
    private readonly Counter<long> evictions;

    public CacheMetrics(IMeterFactory meters, TagFence fence)
    {
        var meter = meters.Create(QueriesMeter.Name);
        hits = meter.CreateCounter<long>("apexshop.cache.hits", "{answer}", "Responses that were found and current.");
        misses = meter.CreateCounter<long>("apexshop.cache.misses", "{answer}", "Responses that were read.");
        stale = meter.CreateCounter<long>("apexshop.cache.stale", "{answer}", "Responses that were found and stale.");
        evictions = meter.CreateCounter<long>("apexshop.cache.evictions", "{answer}", "Responses that were evicted.");
        meter.CreateObservableGauge(
            "apexshop.cache.redis_up", () => fence.IsLive ? 1 : 0, null, "1 while all announcements are received.");
        meter.CreateObservableGauge(
            "apexshop.cache.staleness",
            () => fence.Watermark.Age.TotalSeconds,
            "s",
            "Age of the oldest change whose announcement this process may not have received.");
    }

    public static KeyValuePair<string, object?> Memory { get; } = new("level", "memory");

    public static KeyValuePair<string, object?> Redis { get; } = new("level", "redis");

    public void Hit(KeyValuePair<string, object?> level) => hits.Add(1, level);

    public void Stale(KeyValuePair<string, object?> level) => stale.Add(1, level);

    public void Missed() => misses.Add(1);

    public void Evicted(int count)
    {
        if (count > 0) evictions.Add(count);
    }
}
