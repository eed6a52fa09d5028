using System.Diagnostics;
using System.Diagnostics.Metrics;
using ApexShop.Consistency;
using ApexShop.Queries.Api.Caching;
using ApexShop.Telemetry;

namespace ApexShop.Queries.Api.Consistency;

/// <summary>Meter and spans <c>ApexShop.Queries</c>: how long a query that knows of a change waits until it sees it.</summary>
internal sealed class WaitMetrics(IMeterFactory meters)
{
    private static readonly ActivitySource spans = new(CacheMetrics.MeterName);
    private static readonly KeyValuePair<string, object?> seen = new("outcome", "seen");
    private static readonly KeyValuePair<string, object?> late = new("outcome", "late");

    private readonly Histogram<double> duration = meters.Create(CacheMetrics.MeterName).CreateHistogram(
        "apexshop.consistency.wait",
        "s",
        "Time that a query with a Consistency-Token waited for the change.",
        advice: new InstrumentAdvice<double> { HistogramBucketBoundaries = HistogramBuckets.Latencies });

    public static Activity? Start(ConsistencyToken token)
    {
        var span = spans.StartActivity("wait for change");
        if (span is { IsAllDataRequested: true })
            span.SetTag("apexshop.changes", string.Join(' ', token.Changes.Select(change => $"{change.Resource}/{change.Id}@{change.Version}")));
        return span;
    }

    public void Waited(TimeSpan time, bool isSeen) => duration.Record(time.TotalSeconds, isSeen ? seen : late);
}
