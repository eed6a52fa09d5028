using System.Diagnostics.Metrics;
using ApexShop.Projector.Telemetry;
using ApexShop.Telemetry;
using Microsoft.Extensions.Options;
using RabbitMQ.Client;

namespace ApexShop.Projector.Intake;

/// <summary>Meter <c>ApexShop.Projector</c>: the messages and consumers of the queue.</summary>
internal sealed class QueueGauges : GaugeSampler<QueueDeclareOk>
{
    private readonly BrokerConnection broker;
    private readonly string queueName;

    public QueueGauges(
        BrokerConnection broker,
        IOptions<MessagingOptions> messaging,
        IMeterFactory meters,
        IOptions<TelemetryOptions> options,
        TimeProvider clock,
        ILogger<QueueGauges> logger)
        : base(options, clock, logger)
    {
        (this.broker, queueName) = (broker, messaging.Value.Queue);
        var meter = meters.Create(ProjectorMeter.Name);
        meter.CreateObservableGauge(
            "apexshop.queue.messages",
            () => Of(queue => queue.MessageCount),
            "{message}",
            "Messages in the Projector's queue that no Projector has taken.");
        meter.CreateObservableGauge(
            "apexshop.queue.consumers",
            () => Of(queue => queue.ConsumerCount),
            "{consumer}",
            "Projectors on the queue, including those on standby.");
    }

    // A new channel each time: the broker closes it when the queue does not exist.
    protected override async Task<QueueDeclareOk> SampleAsync(CancellationToken ct)
    {
        var connection = broker.Connection ?? throw new InvalidOperationException("The broker is unavailable.");
        await using var channel = await connection.CreateChannelAsync(cancellationToken: ct);
        return await channel.QueueDeclarePassiveAsync(queueName, ct);
    }

    private IEnumerable<Measurement<long>> Of(Func<QueueDeclareOk, uint> count) =>
        Last is { } queue ? [new(count(queue))] : [];
}
