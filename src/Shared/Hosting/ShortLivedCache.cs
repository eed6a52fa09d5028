namespace ApexShop.Hosting;

/// <summary>
/// An answer that holds for a moment: it is asked for once, however many want it, and whoever comes while it is asked
/// for waits for the same one.
/// </summary>
public sealed class ShortLivedCache<T>(Func<CancellationToken, Task<T>> ask, TimeSpan holds, TimeProvider clock)
{
    private readonly Lock gate = new();
    private Task<T>? last;
    private long askedAt;

    public Task<T> GetAsync()
    {
        lock (gate)
        {
            var isGood = last is { IsCompleted: false } || (last is { IsCompletedSuccessfully: true } && clock.GetElapsedTime(askedAt) < holds);
            if (isGood) return last!;
            askedAt = clock.GetTimestamp();
            // It belongs to all who wait, so neither to the first one's trace nor to how long that one stays.
            using (ExecutionContext.SuppressFlow()) last = Task.Run(() => ask(CancellationToken.None));
            return last;
        }
    }
}
