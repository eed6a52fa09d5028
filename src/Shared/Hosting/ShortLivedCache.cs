namespace ApexShop.Hosting;

/// <summary>
/// Keeps one value for a short time, which depends on the value. Concurrent readers share one load, and a failed load
/// is not kept.
/// </summary>
public sealed class ShortLivedCache<T>(
    Func<CancellationToken, Task<T>> load, Func<T, TimeSpan> lifetime, TimeProvider clock)
{
    private readonly Lock gate = new();
    private Task<T>? current;
    private long loadedAt;
    private TimeSpan validFor;

    public Task<T> GetAsync()
    {
        lock (gate)
        {
            if (current is { } kept && IsValid(kept)) return kept;
            loadedAt = clock.GetTimestamp();
            // All readers share the load, so it must not run in the trace or end with the request of the first one.
            using (ExecutionContext.SuppressFlow()) return current = Task.Run(LoadAsync);
        }
    }

    private async Task<T> LoadAsync()
    {
        var value = await load(CancellationToken.None);
        validFor = lifetime(value);
        return value;
    }

    private bool IsValid(Task<T> kept) =>
        !kept.IsCompleted || (kept.IsCompletedSuccessfully && clock.GetElapsedTime(loadedAt) < validFor);
}
