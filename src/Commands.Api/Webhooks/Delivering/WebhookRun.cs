namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>
/// Delivers the events of one webhook, batch by batch: of each aggregate one after the other, several aggregates at a
/// time. An event that is refused stops only its aggregate. A receiver that is unavailable stops the webhook for a
/// pause, after which one event is tried before the others.
/// </summary>
internal sealed class WebhookRun(
    DeliveryQueue queue, DeliveryResults results, WebhookSender sender, WebhookMetrics metrics, TimeProvider clock)
{
    private const int AggregatesAtATime = 4;

    /// <summary>
    /// Later than this after the beginning of a claim no attempt begins: so each ends before the claim, even if this
    /// process had to wait. It is also the time after which another webhook may be delivered.
    /// </summary>
    private static readonly TimeSpan turn = TimeSpan.FromSeconds(10);

    /// <summary>Runs until nothing is left to send, the receiver is unavailable, or the turn ends.</summary>
    public async Task RunAsync(WebhookClaim claim, CancellationToken stopping)
    {
        for (var current = (WebhookClaim?)claim; current is not null;)
        {
            var batch = await queue.ReadAsync(current, CancellationToken.None);
            try
            {
                await SendAsync(current, batch, stopping);
            }
            catch
            {
                // What was sent is stored nevertheless: else all of it would be sent again.
                batch.IsInterrupted = true;
                await results.SaveAsync(current, batch, continues: false);
                throw;
            }

            var continues = batch is { IsInterrupted: false, IsAttempted: true }
                && clock.GetElapsedTime(claim.Since) < turn && !stopping.IsCancellationRequested;
            current = await results.SaveAsync(current, batch, continues);
        }
    }

    private async Task SendAsync(WebhookClaim claim, DeliveryBatch batch, CancellationToken stopping)
    {
        if (claim.Failures > 0) await SendAsync(claim, batch, batch.First.Take(1), stopping);
        // Some new events before the failed ones: one that makes the receiver fail again does not stop all others.
        await SendAsync(
            claim, batch, batch.First.Take(AggregatesAtATime).Select(one => (Delivery[])[one]), stopping);
        // The failed ones before the other new events: a slow receiver gets them before it has caught up.
        await SendAsync(claim, batch, batch.ByAggregate, stopping);
    }

    private Task SendAsync(
        WebhookClaim claim, DeliveryBatch batch, IEnumerable<IEnumerable<Delivery>> aggregates,
        CancellationToken stopping) =>
        Parallel.ForEachAsync(
            aggregates, new ParallelOptions { MaxDegreeOfParallelism = AggregatesAtATime },
            async (aggregate, _) => await SendAsync(claim, batch, aggregate, stopping));

    private async Task SendAsync(
        WebhookClaim claim, DeliveryBatch batch, IEnumerable<Delivery> aggregate, CancellationToken stopping)
    {
        foreach (var one in aggregate.SkipWhile(one => one.IsDelivered))
        {
            if (batch.IsInterrupted || one.Outcome is not null) return;
            // An operator may have changed the address or deleted the webhook since the batch was read.
            var isCurrent = await queue.IsCurrentAsync(claim, CancellationToken.None);
            // After that wait, because the claim may have ended meanwhile. An attempt that has begun is not cancelled:
            // the receiver may have the event already.
            if (!isCurrent || stopping.IsCancellationRequested || clock.GetElapsedTime(claim.Since) > turn)
                batch.IsInterrupted = true;
            // Another aggregate may have interrupted the batch.
            if (batch.IsInterrupted) return;
            one.Outcome = await sender.SendAsync(claim.Receiver, one.Entry);
            metrics.Attempted(one.Outcome.Value.Result);
            if (one.IsUnavailable) batch.IsInterrupted = true;
            if (!one.IsDelivered) return;
        }
    }
}
