using System.Threading.Channels;
using ApexShop.Hosting;
using ApexShop.Projector.Projecting;

namespace ApexShop.Projector.Intake;

/// <summary>
/// The deliveries of one channel, in their order. Those that wait are applied together, up to a limit; meanwhile later
/// ones arrive and the cache tags of earlier ones are raised. A delivery is acknowledged when its events are committed
/// and their tags are raised.
/// </summary>
internal sealed class DeliveryQueue(
    BatchApplier applier,
    IAcknowledger acknowledger,
    MessagingOptions options,
    TimeProvider clock,
    ILogger logger)
{
    /// <summary>Events of one transaction, unless a single message has more.</summary>
    public const int MostEvents = 5_000;

    // The prefetch count and the budget are its bounds.
    private readonly Channel<Delivery> arrived = Channel.CreateUnbounded<Delivery>();
    private readonly DeliveryBudget budget = new(options.PrefetchBytes);
    private readonly DeliveryRetry retry = new(options.HolePatience, clock, logger);
    private readonly List<Delivery> waiting = [];
    private readonly List<Task> acknowledging = [];
    private Task arrival = Task.CompletedTask;

    // The deliveries of a failed transaction, which are applied alone before any other: this shows the one at fault.
    private readonly Queue<Delivery> alone = [];

    /// <summary>Whether no delivery waits for its transaction.</summary>
    public bool IsEmpty => budget.IsEmpty;

    private bool IsComplete => arrived.Reader.Completion.IsCompleted;

    /// <summary>
    /// Adds the next delivery; it is ignored after <see cref="Complete"/>. The task ends when another one may follow.
    /// </summary>
    public Task AddAsync(Delivery delivery, CancellationToken ct)
    {
        budget.Take(delivery.Message.Body.Length);
        if (arrived.Writer.TryWrite(delivery)) return budget.RoomAsync(ct);
        budget.Release(delivery.Message.Body.Length);
        delivery.Message.Span?.Dispose();
        return Task.CompletedTask;
    }

    /// <summary>Lets <see cref="RunAsync"/> end when everything that was added is acknowledged.</summary>
    public void Complete() => arrived.Writer.TryComplete();

    public async Task RunAsync(CancellationToken ct)
    {
        try
        {
            while (await NextAsync(ct) is { Count: > 0 } group) await TryAsync(group, ct);
            await Task.WhenAll(acknowledging).WaitAsync(ct);
        }
        finally
        {
            Complete();
            while (arrived.Reader.TryRead(out var delivery)) waiting.Add(delivery);
            foreach (var delivery in waiting) delivery.Message.Span?.Dispose();
        }
    }

    private async Task TryAsync(List<Delivery> group, CancellationToken ct)
    {
        try
        {
            await ApplyAsync(group, ct);
        }
        catch (Exception exception) when (!ct.IsCancellationRequested)
        {
            var first = group[0];
            if (!DeliveryRetry.IsUnavailable(exception))
                logger.ProjectionFailed(exception, group.Count, first.Batch.Resource, first.Batch.Last);
            if (group.Count > 1) group.ForEach(alone.Enqueue);
            else if (!retry.IsRetried(first, exception)) Reject(first, exception, ct);
        }
    }

    /// <summary>The deliveries of the next transaction; none when all are applied and no more will be added.</summary>
    private async Task<List<Delivery>> NextAsync(CancellationToken ct)
    {
        while (true)
        {
            while (arrived.Reader.TryRead(out var delivery)) waiting.Add(delivery);
            var now = retry.Now;
            var ready = waiting.Where(delivery => delivery.RetryAt <= now).ToList();
            if (ready.Count > 0) return alone.TryDequeue(out var one) ? [one] : Delivery.Joined(ready);
            if (IsComplete && waiting.Count == 0) return [];
            await WaitAsync(now, ct);
        }
    }

    /// <summary>Waits for an arrival or for the time of the next retry.</summary>
    private async Task WaitAsync(TimeSpan now, CancellationToken ct)
    {
        if (arrival.IsCompleted) arrival = ArrivalAsync(ct);
        if (waiting.Count == 0)
        {
            await arrival;
            return;
        }

        // Timers count whole milliseconds: a pause that is cut to nothing would be repeated until its time has come.
        var pause = TimeSpan.FromMilliseconds(
            Math.Ceiling((waiting.Min(delivery => delivery.RetryAt) - now).TotalMilliseconds));
        if (IsComplete) await Task.Delay(pause, clock, ct);
        else await arrival.WaitAsync(pause, clock, ct).WithoutThrowing();
        ct.ThrowIfCancellationRequested();
    }

    private async Task ArrivalAsync(CancellationToken ct) => await arrived.Reader.WaitToReadAsync(ct);

    private async Task ApplyAsync(List<Delivery> joined, CancellationToken ct)
    {
        var batches = joined.GroupBy(delivery => delivery.Batch.Resource, delivery => delivery.Batch);
        var applied = await applier.ApplyAsync([.. batches.Select(messages => EventBatch.Join([.. messages]))], ct);
        foreach (var delivery in joined) Remove(delivery);
        foreach (var resource in applied.Positions.Keys) retry.Succeeded(resource);
        acknowledging.RemoveAll(task => task.IsCompleted);
        acknowledging.Add(acknowledger.AcknowledgeAsync(joined, applied.Raised));
    }

    private void Reject(Delivery delivery, Exception exception, CancellationToken ct)
    {
        Remove(delivery);
        acknowledging.Add(acknowledger.RejectAsync(delivery.Message, exception.Message, ct));
    }

    private void Remove(Delivery delivery)
    {
        waiting.Remove(delivery);
        budget.Release(delivery.Message.Body.Length);
    }
}
