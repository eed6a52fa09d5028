namespace ApexShop.Projector.Intake;

/// <summary>The number that the broker gave a message on a channel: from 1, without a gap.</summary>
internal readonly record struct Delivery(string Channel, ulong Number);

/// <summary>
/// Which deliveries have come, whatever the order in which threads brought them. What comes before a delivery is on its
/// way, and waited for; only when a channel ends or a consumer shares one does a number never come.
/// </summary>
internal sealed class Arrivals(TimeProvider clock)
{
    private readonly Lock gate = new();
    private readonly SortedSet<ulong> early = [];

    private string channel = "";

    // All numbers up to this one have come.
    private ulong last;

    private TaskCompletionSource changed = NewSource();

    /// <summary>How long a number that is missing is waited for.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(1);

    public void Add(Delivery delivery)
    {
        lock (gate)
        {
            if (delivery.Channel != channel) Begin(delivery.Channel);
            if (delivery.Number > last) early.Add(delivery.Number);
            Advance();
            changed.TrySetResult();
        }
    }

    /// <summary>Whether everything has come that was delivered before it. A channel that is gone has no order to keep.</summary>
    public bool Follows(Delivery delivery)
    {
        lock (gate) return delivery.Channel != channel || delivery.Number <= last;
    }

    /// <summary>Ends with the next arrival.</summary>
    public Task Next()
    {
        lock (gate)
        {
            if (changed.Task.IsCompleted) changed = NewSource();
            return changed.Task;
        }
    }

    /// <summary>Waits for an arrival; when none comes, the missing numbers are given up.</summary>
    public async Task MissingAsync(Task next, CancellationToken ct)
    {
        try
        {
            await next.WaitAsync(Patience, clock, ct);
        }
        catch (TimeoutException)
        {
            GiveUp();
        }
    }

    private void GiveUp()
    {
        lock (gate)
        {
            if (early.Count == 0) return;
            last = early.Min - 1;
            Advance();
        }
    }

    private void Begin(string next)
    {
        channel = next;
        last = 0;
        early.Clear();
    }

    private void Advance()
    {
        while (early.Remove(last + 1)) last++;
    }

    private static TaskCompletionSource NewSource() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
