namespace ApexShop.Hosting;

/// <summary>Wakes a loop that waits; a signal that comes while the loop works ends its next wait.</summary>
public sealed class WakeSignal
{
    private TaskCompletionSource signal = new();

    /// <summary>Ends the current wait, or the next one.</summary>
    public void Set() => Volatile.Read(ref signal).TrySetResult();

    /// <summary>True with a signal, false after the time limit. One loop waits at a time.</summary>
    public async Task<bool> WaitAsync(TimeSpan limit, TimeProvider clock, CancellationToken ct)
    {
        try
        {
            await Volatile.Read(ref signal).Task.WaitAsync(limit, clock, ct);
        }
        catch (TimeoutException)
        {
            return false;
        }

        // Before the loop looks for work: a later signal is for the next wait.
        Volatile.Write(ref signal, new());
        // The loop continues on a thread of its own and not in the call of Set.
        await Task.Yield();
        return true;
    }
}
