using System.Diagnostics.Metrics;
using System.Runtime.ExceptionServices;
using ApexShop.Hosting;
using ApexShop.Projector.Telemetry;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Projector.Intake;

/// <summary>
/// The connection on which both queues are consumed, and the one on which messages are rejected. After a loss they are
/// opened again, with an attempt twice a second, and the broker delivers again what was not acknowledged.
/// </summary>
internal sealed class BrokerConnection : BackgroundService, IHealthCheck
{
    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(500);

    private readonly Func<MessagingOptions, string, CancellationToken, Task<IConnection>> connect;
    private readonly EventConsumer events;
    private readonly DeadLetterConsumer deadLetters;
    private readonly IOptions<MessagingOptions> options;
    private readonly TimeProvider clock;
    private readonly ILogger<BrokerConnection> logger;

    private volatile bool isConsuming;

    // A failure that repeats is logged once, until both queues are consumed again.
    private string? reported;

    public BrokerConnection(
        EventConsumer events,
        DeadLetterConsumer deadLetters,
        IOptions<MessagingOptions> options,
        IMeterFactory meters,
        TimeProvider clock,
        ILogger<BrokerConnection> logger,
        Func<MessagingOptions, string, CancellationToken, Task<IConnection>>? connect = null)
    {
        (this.events, this.deadLetters, this.options) = (events, deadLetters, options);
        this.connect = connect ?? BrokerClient.ConnectAsync;
        (this.clock, this.logger) = (clock, logger);
        meters.Create(ProjectorMeter.Name).CreateObservableGauge(
            "apexshop.broker.up", () => isConsuming ? 1 : 0, null, "1 while this process consumes its queues.");
    }

    public Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(isConsuming ? HealthCheckResult.Healthy() : HealthCheckResult.Unhealthy());

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        while (!stoppingToken.IsCancellationRequested)
        {
            try
            {
                await using var consuming = await connect(options.Value, "apexshop projector", stoppingToken);
                // While memory or disk is short, the broker reads nothing from a connection that publishes, and so
                // would not read the acknowledgements either.
                await using var rejecting = await connect(options.Value, "apexshop projector rejecting", stoppingToken);
                await ConsumeAsync(consuming, rejecting, stoppingToken);
            }
            catch (Exception exception)
            {
                // While the process stops nothing is lost: what was not acknowledged stays in the queue.
                if (!stoppingToken.IsCancellationRequested) Report(exception);
            }

            await Task.Delay(pause, clock, stoppingToken).WithoutThrowing();
        }
    }

    private async Task ConsumeAsync(IConnection consuming, IConnection rejecting, CancellationToken stopping)
    {
        await using var cancellation = new ConsumerCancellation();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellation.Token, stopping);
        await using var eventChannel = await OpenChannelAsync(consuming, cancellation, stopping);
        await using var deadLetterChannel = await OpenChannelAsync(consuming, cancellation, stopping);
        await using var rejectChannel = await OpenChannelAsync(rejecting, cancellation, stopping);
        try
        {
            await QueueTopology.DeclareAsync(eventChannel, options.Value, stopping);
            await deadLetters.StartAsync(deadLetterChannel, cancellation, either.Token);
            var deliveries = await events.StartAsync(eventChannel, rejectChannel, cancellation, stopping);
            (isConsuming, reported) = (true, null);
            await events.RunAsync(deliveries, cancellation.Token, stopping);
        }
        catch (OperationCanceledException) when (cancellation.Reason is { } reason)
        {
            ExceptionDispatchInfo.Throw(reason);
        }
        finally
        {
            isConsuming = false;
            // What still runs for one of the channels ends before they are closed.
            await cancellation.CancelAsync(new OperationCanceledException());
        }
    }

    private static async Task<IChannel> OpenChannelAsync(
        IConnection connection, ConsumerCancellation cancellation, CancellationToken ct)
    {
        var channel = await connection.CreateChannelAsync(
            new CreateChannelOptions(
                publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: true), ct);
        channel.ChannelShutdownAsync += (_, shutdown) =>
            cancellation.CancelAsync(new OperationInterruptedException(shutdown));
        return channel;
    }

    private void Report(Exception exception)
    {
        if (exception.Message == reported) return;
        reported = exception.Message;
        if (BrokerClient.IsUnavailable(exception)) logger.BrokerUnavailable(exception, exception.Message);
        else logger.ConsumingFailed(exception);
    }
}
