using System.Diagnostics.Metrics;
using ApexShop.Projector.Telemetry;
using ApexShop.Telemetry;
using Microsoft.Extensions.Options;
using RabbitMQ.Client;

namespace ApexShop.Projector.Intake;

/// <summary>
/// Meter <c>ApexShop.Projector</c>: the messages and consumers of the queue, also while this process does not consume.
/// </summary>
internal sealed class QueueGauges : GaugeSampler<QueueDeclareOk>
{
    private readonly QueueProbe probe;

    public QueueGauges(
        QueueProbe probe,
        IMeterFactory meters,
        IOptions<TelemetryOptions> options,
        TimeProvider clock,
        ILogger<QueueGauges> logger)
        : base(options, clock, logger)
    {
        this.probe = probe;
        var meter = meters.Create(ProjectorMeter.Name);
        meter.CreateObservableGauge(
            "apexshop.queue.messages",
            () => Of(queue => (long)queue.MessageCount),
            "{message}",
            "Messages in the Projector's queue that no Projector has taken.");
        meter.CreateObservableGauge(
            "apexshop.queue.consumers",
            () => Of(queue => (long)queue.ConsumerCount),
            "{consumer}",
            "Projectors on the queue, including those on standby.");
    }

    protected override Task<QueueDeclareOk> SampleAsync(CancellationToken ct) => probe.ReadAsync(ct);
}
