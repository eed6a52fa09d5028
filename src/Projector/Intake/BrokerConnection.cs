using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Projector.Intake;

/// <summary>
/// The connection on which both queues are consumed. After a loss it is opened again, with an attempt twice a second,
/// and the broker delivers again what was not acknowledged.
/// </summary>
internal sealed class BrokerConnection(
    EventConsumer events,
    DeadLetterConsumer deadLetters,
    IOptions<MessagingOptions> options,
    TimeProvider clock,
    ILogger<BrokerConnection> logger) : BackgroundService, IHealthCheck
{
    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(500);

    private volatile IConnection? consuming;

    /// <summary>The connection while both queues are consumed.</summary>
    public IConnection? Connection => consuming;

    public Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(consuming is not null ? HealthCheckResult.Healthy() : HealthCheckResult.Unhealthy());

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var isReported = false;
        while (!stoppingToken.IsCancellationRequested)
        {
            try
            {
                await using var connection = await OpenAsync(stoppingToken);
                isReported = false;
                await ConsumeAsync(connection, stoppingToken);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                if (!isReported) logger.BrokerUnavailable(exception.Message);
                isReported = true;
            }
            catch (OperationCanceledException)
            {
                // The process stops; what was not acknowledged stays in the queue.
            }

            await Task.Delay(pause, clock, stoppingToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private Task<IConnection> OpenAsync(CancellationToken ct) => new ConnectionFactory
    {
        Uri = options.Value.Url,
        ClientProvidedName = "apexshop projector",
        // The client's own recovery would keep the channel, and with it deliveries that the broker sends again.
        AutomaticRecoveryEnabled = false,
        RequestedConnectionTimeout = TimeSpan.FromSeconds(2),
        RequestedHeartbeat = TimeSpan.FromSeconds(10),
    }.CreateConnectionAsync(ct);

    private async Task ConsumeAsync(IConnection connection, CancellationToken stopping)
    {
        using var lost = new CancellationTokenSource();
        await using var eventChannel = await OpenChannelAsync(connection, lost, stopping);
        await using var deadLetterChannel = await OpenChannelAsync(connection, lost, stopping);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(lost.Token, stopping);
        try
        {
            await QueueTopology.DeclareAsync(eventChannel, options.Value, stopping);
            await deadLetters.StartAsync(deadLetterChannel, lost, either.Token);
            consuming = connection;
            await events.RunAsync(eventChannel, lost, stopping);
        }
        catch (OperationCanceledException) when (lost.IsCancellationRequested && eventChannel.CloseReason is { } reason)
        {
            throw new AlreadyClosedException(reason);
        }
        finally
        {
            consuming = null;
        }
    }

    private static async Task<IChannel> OpenChannelAsync(
        IConnection connection, CancellationTokenSource lost, CancellationToken ct)
    {
        var channel = await connection.CreateChannelAsync(
            new CreateChannelOptions(
                publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: true), ct);
        channel.ChannelShutdownAsync += (_, _) => lost.CancelAsync();
        return channel;
    }
}
