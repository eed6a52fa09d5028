using System.Diagnostics.Metrics;
using ApexShop.Queries.Api.Telemetry;

namespace ApexShop.Queries.Api.Streaming.Segments;

/// <summary>How much memory segments take, and how many had to be read.</summary>
internal sealed class SegmentMetrics
{
    private readonly Counter<long> read;

    public SegmentMetrics(IMeterFactory meters, SegmentBudget budget)
    {
        var meter = meters.Create(QueriesMeter.Name);
        read = meter.CreateCounter<long>(
            "apexshop.stream.segments_read", "{segment}", "Segments that were not in memory or had changed.");
        meter.CreateObservableGauge(
            "apexshop.stream.kept_bytes", () => budget.Taken, "By", "Bytes of segments in memory.");
    }

    public void Read() => read.Add(1);
}
