using System.Diagnostics.Metrics;
using ApexShop.Projector.Telemetry;
using ApexShop.Telemetry.Instruments;

namespace ApexShop.Projector.Projecting;

/// <summary>Meter <c>ApexShop.Projector</c>; each counter has the resource as its tag.</summary>
internal sealed class ProjectorMetrics
{
    private readonly Counter<long> applied;
    private readonly Counter<long> repeats;
    private readonly Counter<long> holes;
    private readonly Counter<long> parked;
    private readonly Histogram<double> visible;
    private readonly TimeProvider clock;

    public ProjectorMetrics(IMeterFactory meters, TimeProvider clock)
    {
        this.clock = clock;
        var meter = meters.Create(ProjectorMeter.Name);
        applied = meter.CreateCounter<long>("apexshop.projection.applied", "{event}", "Events applied.");
        repeats = meter.CreateCounter<long>("apexshop.projection.repeats", "{event}", "Events applied before.");
        holes = meter.CreateCounter<long>("apexshop.projection.holes", "{hole}", "Holes filled from the event log.");
        parked = meter.CreateCounter<long>("apexshop.projection.parked", "{event}", "Events set aside.");
        visible = meter.CreateHistogram(
            "apexshop.visible.duration",
            "s",
            "Time from a change to the moment when every query shows it.",
            advice: new InstrumentAdvice<double> { HistogramBucketBoundaries = HistogramBuckets.Delays });
    }

    public void Applied(string resource, int events) => applied.Add(events, Tag(resource));

    public void Repeated(string resource, int events)
    {
        if (events > 0) repeats.Add(events, Tag(resource));
    }

    public void HoleFilled(string resource) => holes.Add(1, Tag(resource));

    public void Parked(string resource, int events) => parked.Add(events, Tag(resource));

    /// <summary>Measures the time from each change to now, when no query serves older data any more.</summary>
    public void Visible(IEnumerable<DateTimeOffset> changes, bool isFromLog)
    {
        if (!visible.Enabled) return;
        var (now, via) = (clock.GetUtcNow(), new KeyValuePair<string, object?>("via", isFromLog ? "log" : "message"));
        // The clocks of two machines may differ a little.
        foreach (var time in changes) visible.Record(Math.Max(0, (now - time).TotalSeconds), via);
    }

    private static KeyValuePair<string, object?> Tag(string resource) => new("resource", resource);
}
