using System.Diagnostics.Metrics;

namespace ApexShop.Queries.Api.Caching;

/// <summary>Meter <c>ApexShop.Queries</c>: what the cache answered, and at which level.</summary>
internal sealed class CacheMetrics
{
    public const string MeterName = "ApexShop.Queries";

    private readonly Counter<long> hits;
    private readonly Counter<long> misses;
    private readonly Counter<long> stale;
    private readonly Counter<long> evictions;

    public CacheMetrics(IMeterFactory meters, TagFence fence)
    {
        var meter = meters.Create(MeterName);
        hits = meter.CreateCounter<long>("apexshop.cache.hits", "{answer}", "Answers that were found current.");
        misses = meter.CreateCounter<long>("apexshop.cache.misses", "{answer}", "Answers that were read.");
        stale = meter.CreateCounter<long>("apexshop.cache.stale", "{answer}", "Answers that were found and refused.");
        evictions = meter.CreateCounter<long>("apexshop.cache.evictions", "{answer}", "Answers that made room.");
        meter.CreateObservableGauge(
            "apexshop.cache.redis_up", () => fence.IsLive ? 1 : 0, null, "1 while every announcement is heard.");
    }

    public static KeyValuePair<string, object?> Memory { get; } = new("level", "memory");

    public static KeyValuePair<string, object?> Redis { get; } = new("level", "redis");

    public void Hit(KeyValuePair<string, object?> level) => hits.Add(1, level);

    public void StaleRefused(KeyValuePair<string, object?> level) => stale.Add(1, level);

    public void Missed() => misses.Add(1);

    public void Evicted(int count)
    {
        if (count > 0) evictions.Add(count);
    }
}
