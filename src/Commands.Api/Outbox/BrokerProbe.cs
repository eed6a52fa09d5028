using MassTransit;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Keeps the state of the broker current: by the messages of the publisher, and in a process that publishes nothing by
/// a probe. Without it an idle shop, or a standby, would not detect an outage; the first probe also connects a process
/// before it leads.
/// </summary>
internal sealed class BrokerProbe(
    IEventBus bus,
    OutboxStatus status,
    TimeProvider clock,
    IOptions<OutboxOptions> options,
    ILogger<BrokerProbe> logger) : BackgroundService
{
    // One of so many attempts has the whole time while the broker is unavailable.
    private const int AttemptsPerLongOne = 4;

    private int failures;

    /// <summary>True while events wait: their messages show more than a probe, whether a queue takes them.</summary>
    public bool IsPublishing { get; set; }

    /// <summary>
    /// Time limit for the confirm of a message, as the state of the broker is now. Most attempts are short while the
    /// broker is unavailable; a broker that confirms, but more slowly than they wait, is detected by the others.
    /// </summary>
    public TimeSpan Limit => status.Broker == BrokerState.Unavailable && failures % AttemptsPerLongOne != 0
        ? options.Value.ProbeTimeout
        : options.Value.ConfirmTimeout;

    public void Succeeded()
    {
        if (status.Broker is BrokerState.Unavailable or BrokerState.Unbound) logger.BrokerConfirmsAgain();
        status.Broker = BrokerState.Reached;
        failures = 0;
    }

    // Logs only a change of the state: an outage of hours must not log a line per second.
    public void Failed(Exception exception)
    {
        failures++;
        var state = exception is MessageReturnedException ? BrokerState.Unbound : BrokerState.Unavailable;
        if (status.Broker == state) return;
        if (state == BrokerState.Unbound) logger.NoQueueBound();
        else logger.BrokerUnavailable(exception.GetBaseException().Message);
        status.Broker = state;
    }

    /// <summary>The publisher has ended; only the next leader can determine whether a queue takes events.</summary>
    public void PublishingEnded()
    {
        if (status.Broker == BrokerState.Unbound) status.Broker = BrokerState.Reached;
        IsPublishing = false;
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(options.Value.ProbeInterval, clock);
        do
        {
            if (!IsPublishing) await ProbeAsync(stoppingToken);
        }
        while (await timer.WaitForNextTickAsync(stoppingToken));
    }

    // A result that arrives after the publisher has begun is older than what its messages show.
    private async Task ProbeAsync(CancellationToken ct)
    {
        try
        {
            await bus.ProbeAsync(Limit, ct);
            if (!IsPublishing) Succeeded();
        }
        catch (Exception exception) when (!ct.IsCancellationRequested)
        {
            if (!IsPublishing) Failed(exception);
        }
    }
}
