using System.Diagnostics.Metrics;
using ApexShop.Commands.Api.Pipeline;
using ApexShop.Telemetry;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Meter <c>ApexShop.Commands</c>: what waits for its position, what has one and waits for the broker, and who leads.
/// Every process shows the same of the database, whether it leads or not: the leader may be what is missing.
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
        var meter = meters.Create(CommandMetrics.Meter);
        Show(meter, "apexshop.outbox.pending", "{event}", "Events that wait for a position in the log.", sample => sample.Pending);
        Show(meter, "apexshop.outbox.age", "s", "How long the oldest of them has waited.", sample => sample.PendingAge);
        Show(meter, "apexshop.log.head", "{event}", "Position of the last event in the log.", sample => sample.Head);
        Show(meter, "apexshop.log.published", "{event}", "Position of the last event that the broker confirmed.", sample => sample.Published);
        Show(meter, "apexshop.log.unpublished", "{event}", "Events in the log that the broker has not confirmed.", sample => sample.Head - sample.Published);
        Show(meter, "apexshop.log.unpublished_age", "s", "How old the oldest of them is.", sample => sample.UnpublishedAge);
        meter.CreateObservableGauge("apexshop.log.position", Positions, "{event}", "Position of a resource's last event in the log.");
        meter.CreateObservableGauge("apexshop.outbox.leader", () => status.IsLeader ? 1 : 0, null, "1 in the process that sequences and publishes.");
        meter.CreateObservableGauge("apexshop.broker.up", () => Broker(status), null, "1 while the broker confirms and a queue takes events; only the leader knows.");
    }

    protected override Task<OutboxSample> SampleAsync(CancellationToken ct) => OutboxSample.TakeAsync(connections, ct);

    private static IEnumerable<Measurement<int>> Broker(OutboxStatus status) =>
        status.Broker == BrokerState.Unknown ? [] : [new(status.Broker == BrokerState.Reached ? 1 : 0)];

    private void Show(Meter meter, string name, string unit, string description, Func<OutboxSample, double> value) =>
        meter.CreateObservableGauge(name, () => Last is { } sample ? [new Measurement<double>(value(sample))] : Nothing, unit, description);

    private static IEnumerable<Measurement<double>> Nothing => [];

    private IEnumerable<Measurement<long>> Positions() =>
        Last is { } sample ? sample.Positions.Select(one => new Measurement<long>(one.Value, new KeyValuePair<string, object?>("resource", one.Key))) : [];
}
