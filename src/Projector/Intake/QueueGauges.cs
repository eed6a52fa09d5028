using System.Diagnostics.Metrics;
using ApexShop.Projector.Telemetry;
using ApexShop.Telemetry;
using Microsoft.Extensions.Options;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Projector.Intake;

/// <summary>
/// Meter <c>ApexShop.Projector</c>: the messages and consumers of the queue, also while this process does not consume.
/// </summary>
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

    public override async Task StopAsync(CancellationToken cancellationToken)
    {
        await base.StopAsync(cancellationToken);
        await CloseAsync();
    }

    protected override async Task<QueueDeclareOk> SampleAsync(CancellationToken ct)
    {
        if (connection is { IsOpen: false }) await CloseAsync();
        connection ??= await BrokerClient.ConnectAsync(messaging, "apexshop projector gauges", ct);
        // A new channel each time: the broker closes it when the queue does not exist.
        await using var channel = await connection.CreateChannelAsync(cancellationToken: ct);
        try
        {
            return await channel.QueueDeclarePassiveAsync(messaging.Queue, ct);
        }
        catch (OperationInterruptedException exception) when (
            exception.ShutdownReason?.ReplyCode == Constants.NotFound)
        {
            // Before the first Projector declares it.
            return new(messaging.Queue, 0, 0);
        }
    }

    private async Task CloseAsync()
    {
        var closing = connection;
        connection = null;
        if (closing is not null) await closing.DisposeAsync();
    }

    private IEnumerable<Measurement<long>> Of(Func<QueueDeclareOk, uint> count) =>
        Last is { } queue ? [new(count(queue))] : [];
}
