using ApexShop.Projector.Projecting;

namespace ApexShop.Projector.Intake;

/// <summary>
/// Messages in the order of the queue. One after another, whoever's message comes next has the turn and applies it
/// together with what waits behind it, up to a limit; meanwhile the bodies of later messages are read and the cache
/// tags of earlier ones raised. Order is a matter of speed here: a message that got before another one of its resource
/// is a hole, and filled from the event log.
/// </summary>
internal sealed class BatchLine(BatchApplier applier, Arrivals arrivals) : IDisposable
{
    /// <summary>Events of one transaction, unless a single message has more.</summary>
    public const int MostEvents = 5_000;

    private readonly Lock gate = new();
    private readonly List<Place> line = [];
    private readonly SemaphoreSlim turn = new(1);

    // After a failure so many messages are applied each for itself, which shows the one that is at fault.
    private int alone;

    /// <summary>A place to be taken before the body is read and left by disposing it.</summary>
    public Place Enter(Delivery delivery)
    {
        var place = new Place(this, delivery);
        lock (gate) line.Add(place);
        arrivals.Add(delivery);
        return place;
    }

    public void Dispose() => turn.Dispose();

    private async Task ApplyAsync(Place own, CancellationToken ct)
    {
        await turn.WaitAsync(ct);
        try
        {
            while (own.Outcome is null) await ApplyNextAsync(ct);
        }
        finally
        {
            turn.Release();
        }
    }

    private async Task ApplyNextAsync(CancellationToken ct)
    {
        var group = await NextAsync(ct);
        if (group.Count == 0) return;
        try
        {
            var batches = group.Select(place => place.Batch!).GroupBy(batch => batch.Resource);
            var applied = await applier.ApplyAsync([.. batches.Select(messages => EventBatch.Join([.. messages]))], ct);
            foreach (var place in group) place.Outcome = applied.Raised;
        }
        catch (Exception) when (group.Count > 1 && !ct.IsCancellationRequested)
        {
            alone = group.Count;
        }
        catch (Exception exception) when (!ct.IsCancellationRequested)
        {
            group[0].Outcome = Task.FromException(exception);
        }
    }

    private async Task<List<Place>> NextAsync(CancellationToken ct)
    {
        var waiting = await WaitingAsync(ct);
        await waiting[0].IsRead.WaitAsync(ct);
        var limit = alone > 0 ? 0 : MostEvents;
        alone = Math.Max(0, alone - 1);

        var (group, events, last) = (new List<Place>(), 0, new Dictionary<string, long>());
        // What was read after one that is still being read might be behind it.
        foreach (var place in waiting.TakeWhile(place => place.Batch is not null).OrderBy(place => place.Batch!.First))
        {
            var batch = place.Batch!;
            events += batch.Entries.Count;
            if (group.Count > 0 && events > limit) break;
            // A message that came twice takes another turn.
            if (batch.First <= last.GetValueOrDefault(batch.Resource)) continue;
            last[batch.Resource] = batch.Last;
            group.Add(place);
        }

        return group;
    }

    private async Task<Place[]> WaitingAsync(CancellationToken ct)
    {
        while (true)
        {
            // Asked for before looking: an arrival in between is not slept through.
            var next = arrivals.Next();
            lock (gate)
            {
                Place[] waiting = [.. line.Where(place => place.Outcome is null && arrivals.Follows(place.Delivery))];
                if (waiting.Length > 0) return [.. waiting.OrderBy(place => place.Delivery.Number)];
            }

            await arrivals.MissingAsync(next, ct);
        }
    }

    private void Leave(Place place)
    {
        lock (gate) line.Remove(place);
    }

    internal sealed class Place(BatchLine line, Delivery delivery) : IDisposable
    {
        private readonly TaskCompletionSource read = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Delivery Delivery => delivery;

        /// <summary>Ends when there is a batch, or nobody in this place any more.</summary>
        public Task IsRead => read.Task;

        public EventBatch? Batch { get; private set; }

        /// <summary>What came of the last attempt; a task that succeeds when the cache tags are raised.</summary>
        public Task? Outcome { get; set; }

        /// <summary>Returns when the batch is applied and its cache tags are raised.</summary>
        public async Task ApplyAsync(EventBatch batch, CancellationToken ct)
        {
            (Batch, Outcome) = (batch, null);
            read.TrySetResult();
            await line.ApplyAsync(this, ct);
            await Outcome!;
        }

        public void Dispose()
        {
            line.Leave(this);
            read.TrySetResult();
        }
    }
}
