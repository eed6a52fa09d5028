using System.Diagnostics.Metrics;
using ApexShop.Projector.Batches;
using ApexShop.Telemetry;
using Microsoft.Extensions.Options;
using RabbitMQ.Client;

namespace ApexShop.Projector.Messaging;

/// <summary>Meter <c>ApexShop.Projector</c>: what waits in the queue, and who takes from it.</summary>
internal sealed class QueueGauges : GaugeSampler<QueueDeclareOk>
{
    private readonly MessagingOptions messaging;
    private IConnection? connection;

    public QueueGauges(
        IOptions<MessagingOptions> messaging,
        IMeterFactory meters,
        IOptions<TelemetryOptions> options,
        TimeProvider clock,
        ILogger<QueueGauges> logger)
        : base(options, clock, logger)
    {
        this.messaging = messaging.Value;
        var meter = meters.Create(ProjectorMetrics.MeterName);
        meter.CreateObservableGauge("apexshop.queue.messages", () => Of(queue => queue.MessageCount), "{message}", "Messages in the Projector's queue that no Projector has taken.");
        meter.CreateObservableGauge("apexshop.queue.consumers", () => Of(queue => queue.ConsumerCount), "{consumer}", "Projectors on the queue, those that stand by included.");
    }

    // A channel for each look: the broker closes the one on which it was asked for a queue that it does not have.
    protected override async Task<QueueDeclareOk> SampleAsync(CancellationToken ct)
    {
        if (connection is { IsOpen: false }) await CloseAsync();
        connection ??= await new ConnectionFactory
        {
            Uri = messaging.Url,
            ClientProvidedName = "apexshop projector gauges",
            AutomaticRecoveryEnabled = false,
        }.CreateConnectionAsync(ct);
        await using var channel = await connection.CreateChannelAsync(cancellationToken: ct);
        return await channel.QueueDeclarePassiveAsync(messaging.Queue, ct);
    }

    public override async Task StopAsync(CancellationToken cancellationToken)
    {
        await base.StopAsync(cancellationToken);
        await CloseAsync();
    }

    private async Task CloseAsync()
    {
        if (connection is not null) await connection.DisposeAsync();
        connection = null;
    }

    private IEnumerable<Measurement<long>> Of(Func<QueueDeclareOk, uint> count) =>
        Last is { } queue ? [new(count(queue))] : [];
}
