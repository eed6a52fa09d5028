using System.Diagnostics;
using System.Diagnostics.Metrics;
using ApexShop.Consistency;
using ApexShop.Queries.Api.Telemetry;
using ApexShop.Telemetry.Instruments;

namespace ApexShop.Queries.Api.Consistency;

/// <summary>The time and the span of a query that waits for the change of its Consistency-Token.</summary>
internal sealed class WaitMetrics(IMeterFactory meters)
{
    private static readonly ActivitySource spans = new(QueriesMeter.Name);
    private static readonly KeyValuePair<string, object?> seen = new("outcome", "seen");
    private static readonly KeyValuePair<string, object?> late = new("outcome", "late");

    private readonly Histogram<double> duration = meters.Create(QueriesMeter.Name).CreateHistogram(
        "apexshop.consistency.wait",
        "s",
        "Time that a query with a Consistency-Token waited for the change.",
        advice: new InstrumentAdvice<double> { HistogramBucketBoundaries = HistogramBuckets.Latencies });

    public static Activity? Start(ConsistencyToken token)
    {
        var span = spans.StartActivity("wait for change");
        if (span is { IsAllDataRequested: true })
        {
            var changes = token.Changes.Select(change => $"{change.Resource}/{change.Id}@{change.Version}");
            span.SetTag("apexshop.changes", string.Join(' ', changes));
        }

        return span;
    }

    public void Waited(TimeSpan time, bool isSeen) => duration.Record(time.TotalSeconds, isSeen ? seen : late);
}
