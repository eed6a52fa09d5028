using System.Diagnostics.Metrics;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Telemetry;
using ApexShop.Telemetry;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Projector.Projecting;

/// <summary>
/// Meter <c>ApexShop.Projector</c>: the checkpoints, and the age of the oldest event that the documents do not show.
/// The age grows when no event arrives any more, which no counter would show.
/// </summary>
internal sealed class ProjectionGauges : GaugeSampler<ProjectionSample>
{
    private readonly NpgsqlDataSource database;
    private readonly EventLogClient log;
    private readonly TimeProvider clock;

    public ProjectionGauges(
        NpgsqlDataSource database,
        EventLogClient log,
        TagGenerations tags,
        IMeterFactory meters,
        IOptions<TelemetryOptions> options,
        TimeProvider clock,
        ILogger<ProjectionGauges> logger)
        : base(options, clock, logger)
    {
        (this.database, this.log, this.clock) = (database, log, clock);
        var meter = meters.Create(ProjectorMeter.Name);
        meter.CreateObservableGauge(
            "apexshop.projection.position",
            () => Each(one => one.Position),
            "{event}",
            "Position of a resource's last event that the documents show.");
        meter.CreateObservableGauge(
            "apexshop.projection.age",
            () => Each(one => one.Age),
            "s",
            "How old the oldest event of a resource is that the documents do not show; 0 when there is none.");
        meter.CreateObservableGauge(
            "apexshop.projection.lag",
            () => State(state => state.Lag),
            "{event}",
            "Events in the log from the oldest on that the documents do not show.");
        meter.CreateObservableGauge(
            "apexshop.projection.epoch", () => State(state => state.Epoch), null, "Number of the read schema.");
        meter.CreateObservableGauge(
            "apexshop.projection.pending_names",
            () => State(state => state.PendingNames),
            "{name}",
            "Names that are not written into all documents yet.");
        meter.CreateObservableGauge(
            "apexshop.cache.pending_tags",
            () => State(state => state.PendingTags),
            "{tag}",
            "Cache tags that have waited for Redis for more than a second.");
        meter.CreateObservableGauge(
            "apexshop.cache.redis_up",
            () => tags.IsUnavailable ? 0 : 1,
            null,
            "1 while announcements are made, or could be.");
    }

    protected override Task<ProjectionSample> SampleAsync(CancellationToken ct) =>
        ProjectionSample.TakeAsync(database, log, clock, ct);

    private IEnumerable<Measurement<double>> Each(Func<ResourceSample, double?> value) =>
        ByResource(sample =>
            from one in sample.Resources
            let measured = value(one)
            where measured is not null
            select KeyValuePair.Create(one.Resource, measured.Value));

    private IEnumerable<Measurement<long>> State(Func<ProjectionSample, long?> value) =>
        Last is { } sample && value(sample) is { } measured ? [new(measured)] : [];
}
