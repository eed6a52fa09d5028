using System.Diagnostics.Metrics;
using ApexShop.Commands.Api.Telemetry;
using ApexShop.Telemetry;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Gauges of the outbox, the log, the leader and the broker. Every process samples the database, whether it leads or
/// not, because there may be no leader.
/// </summary>
internal sealed class OutboxGauges : GaugeSampler<OutboxSample>
{
    private readonly NpgsqlDataSource connections;

    public OutboxGauges(
        NpgsqlDataSource connections,
        OutboxStatus status,
        IMeterFactory meters,
        IOptions<TelemetryOptions> options,
        TimeProvider clock,
        ILogger<OutboxGauges> logger)
        : base(options, clock, logger)
    {
        this.connections = connections;
        var meter = meters.Create(CommandsMeter.Name);
        Show(
            meter, "apexshop.outbox.pending", "{event}",
            "Events that wait for a position in the log, counted up to 100,000.",
            one => one.Pending);
        Show(meter, "apexshop.outbox.age", "s", "How long the oldest of them has waited.", one => one.PendingAge);
        Show(meter, "apexshop.log.head", "{event}", "Position of the last event in the log.", one => one.Head);
        Show(
            meter, "apexshop.log.published", "{event}", "Position of the last event that the broker confirmed.",
            one => one.Published);
        Show(
            meter, "apexshop.log.unpublished", "{event}", "Events in the log that the broker has not confirmed.",
            one => one.Head - one.Published);
        Show(meter, "apexshop.log.unpublished_age", "s", "How old the oldest of them is.", one => one.UnpublishedAge);
        Show(
            meter, "apexshop.database.replicas", "{server}", "Servers that copy the database of the events.",
            one => one.Replicas);
        meter.CreateObservableGauge(
            "apexshop.log.position", () => ByResource(one => one.Positions), "{event}",
            "Position of a resource's last event in the log.");
        meter.CreateObservableGauge(
            "apexshop.outbox.leader", () => status.IsLeader ? 1 : 0, null,
            "1 in the process that sequences and publishes.");
        meter.CreateObservableGauge(
            "apexshop.broker.up", () => Broker(status), null,
            "1 while the broker confirms messages, and in the leader while a queue takes events.");
    }

    protected override Task<OutboxSample> SampleAsync(CancellationToken ct) => OutboxSample.TakeAsync(connections, ct);

    private static IEnumerable<Measurement<int>> Broker(OutboxStatus status) =>
        status.Broker == BrokerState.Unknown ? [] : [new(status.Broker == BrokerState.Reached ? 1 : 0)];

    private void Show(Meter meter, string name, string unit, string description, Func<OutboxSample, double> value) =>
        meter.CreateObservableGauge(name, () => Of(value), unit, description);
}
