using ApexShop.Errors;
using ApexShop.Hosting;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// One of all processes leads: it holds the lease, the sequencer renews it on the same connection, and the publisher
/// runs beside it. When either ends, the session ends, and the first process that takes the lease leads.
/// </summary>
internal sealed class OutboxLeader(
    ILeaderConnections sessions,
    LeaderLease lease,
    Sequencer sequencer,
    EventPublisher publisher,
    BrokerProbe broker,
    OutboxStatus status,
    TimeProvider clock,
    IOptions<OutboxOptions> options,
    ILogger<OutboxLeader> logger) : BackgroundService
{
    private bool failing;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        while (!stoppingToken.IsCancellationRequested)
        {
            try
            {
                await using var session = await sessions.OpenAsync(stoppingToken);
                var term = await WaitForTermAsync(session, stoppingToken);
                logger.LeadershipTaken(term);
                await LeadAsync(session, term, stoppingToken);
            }
            catch (LeaseLostException)
            {
                logger.LeaseLost();
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                if (!failing) logger.LeadershipLost(exception.Reason, exception.Unexpected);
                failing = true;
                await Task.Delay(options.Value.LeaderRetry, clock, stoppingToken);
            }
            catch (OperationCanceledException)
            {
                return;
            }
        }
    }

    /// <summary>Returns the term when this process leads.</summary>
    private async Task<long> WaitForTermAsync(ILeaderConnection session, CancellationToken ct)
    {
        var reachesBroker = false;
        while (true)
        {
            var (term, isOffered) = await lease.TakeAsync(session, reachesBroker, ct);
            failing = false;
            if (term is { } taken) return taken;
            if (!reachesBroker) await Task.Delay(options.Value.LeaderRetry, clock, ct);
            reachesBroker = isOffered && !reachesBroker && await publisher.ReachesBrokerAsync(ct);
        }
    }

    private async Task LeadAsync(ILeaderConnection session, long term, CancellationToken ct)
    {
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(ct);
        status.IsLeader = true;
        var sequencing = sequencer.RunAsync(session, term, ending.Token);
        var publishing = publisher.RunAsync(term, ending.Token);
        try
        {
            await await Task.WhenAny(sequencing, publishing);
        }
        finally
        {
            status.IsLeader = false;
            ending.Cancel();
            await Task.WhenAll(sequencing, publishing).WithoutThrowing();
            broker.PublishingEnded();
        }
    }
}
