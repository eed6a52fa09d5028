using System.Diagnostics.Metrics;

namespace ApexShop.Projector.Batches;

/// <summary>Meter <c>ApexShop.Projector</c>; each counter has the resource as its tag.</summary>
internal sealed class ProjectorMetrics
{
    public const string MeterName = "ApexShop.Projector";

    private readonly Counter<long> applied;
    private readonly Counter<long> repeats;
    private readonly Counter<long> holes;
    private readonly Counter<long> parked;

    public ProjectorMetrics(IMeterFactory meters)
    {
        var meter = meters.Create(MeterName);
        applied = meter.CreateCounter<long>("apexshop.projection.applied", "{event}", "Events applied.");
        repeats = meter.CreateCounter<long>("apexshop.projection.repeats", "{event}", "Events applied before.");
        holes = meter.CreateCounter<long>("apexshop.projection.holes", "{hole}", "Holes filled from the event log.");
        parked = meter.CreateCounter<long>("apexshop.projection.parked", "{event}", "Events set aside.");
    }

    public void Applied(string resource, int events) => applied.Add(events, Tag(resource));

    public void Repeated(string resource, int events)
    {
        if (events > 0) repeats.Add(events, Tag(resource));
    }

    public void HoleFilled(string resource) => holes.Add(1, Tag(resource));

    public void Parked(string resource, int events) => parked.Add(events, Tag(resource));

    private static KeyValuePair<string, object?> Tag(string resource) => new("resource", resource);
}
