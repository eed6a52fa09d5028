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

    /// <summary>No attempt of a batch starts later, so that the batch ends within its claim.</summary>
    private static readonly TimeSpan batchTime = WebhookClaims.Lifetime / 3;

    /// <summary>After it another webhook may be delivered.</summary>
    private static readonly TimeSpan turn = TimeSpan.FromSeconds(10);

    /// <summary>Runs until nothing is left to send, the receiver is unavailable, or the turn ends.</summary>
    public async Task RunAsync(WebhookClaim claim, CancellationToken stopping)
    {
        var started = clock.GetTimestamp();
        for (var (current, continues) = ((WebhookClaim?)claim, true); current is not null && continues;)
        {
            var batch = await queue.ReadAsync(current, CancellationToken.None);
            await SendAsync(current, batch, stopping);
            continues = batch is { IsInterrupted: false, IsAttempted: true }
                && clock.GetElapsedTime(started) < turn && !stopping.IsCancellationRequested;
            current = await results.SaveAsync(current, batch, continues);
        }
    }

    private async Task SendAsync(WebhookClaim claim, DeliveryBatch batch, CancellationToken stopping)
    {
        using var time = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        time.CancelAfter(batchTime);
        var aggregates = batch.ByAggregate;
        if (claim.Failures > 0 && aggregates is [var first, ..])
            await SendAsync(claim, batch, first.Take(1), time.Token);
        await Parallel.ForEachAsync(
            aggregates, new ParallelOptions { MaxDegreeOfParallelism = AggregatesAtATime },
            async (aggregate, _) => await SendAsync(claim, batch, aggregate, time.Token));
    }

    private async Task SendAsync(
        WebhookClaim claim, DeliveryBatch batch, IEnumerable<Delivery> aggregate, CancellationToken time)
    {
        foreach (var one in aggregate.Where(one => !one.IsDelivered))
        {
            // An attempt that has begun is not cancelled: the receiver may have the event already.
            batch.IsInterrupted |= time.IsCancellationRequested;
            if (batch.IsInterrupted) return;
            one.Outcome = await sender.SendAsync(claim.Receiver, one.Entry);
            metrics.Attempted(one.Outcome.Value.Result);
            batch.IsInterrupted |= one.IsUnavailable;
            if (!one.IsDelivered) return;
        }
    }
}
