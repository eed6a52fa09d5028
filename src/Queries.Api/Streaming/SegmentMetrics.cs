using System.Diagnostics.Metrics;
using ApexShop.Queries.Api.Caching;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>Meter <c>ApexShop.Queries</c>: how much is kept for streams, and how much had to be read.</summary>
internal sealed class SegmentMetrics
{
    private readonly Counter<long> read;

    public SegmentMetrics(IMeterFactory meters, SegmentBudget budget)
    {
        var meter = meters.Create(CacheMetrics.MeterName);
        read = meter.CreateCounter<long>("apexshop.stream.segments_read", "{segment}", "Segments that were not in memory or had changed.");
        meter.CreateObservableGauge("apexshop.stream.kept_bytes", () => budget.Taken, "By", "Bytes of segments in memory.");
    }

    public void Read() => read.Add(1);
}
