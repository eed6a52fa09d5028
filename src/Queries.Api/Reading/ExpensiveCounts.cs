using Microsoft.Extensions.Caching.Memory;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// The counts that exceeded the time limit of a search a short time ago. They are refused at once: shoppers request the
/// same ones again and again, and each attempt would read for the whole limit and fail.
/// </summary>
internal sealed class ExpensiveCounts(TimeProvider clock) : IDisposable
{
    private const int Most = 1000;

    private static readonly TimeSpan period = TimeSpan.FromMinutes(1);

    private readonly MemoryCache refused = new(new MemoryCacheOptions { SizeLimit = Most });

    public async Task<T> RunAsync<T>(string key, Func<Task<T>> count)
    {
        if (refused.TryGetValue<long>(key, out var since) && clock.GetElapsedTime(since) < period)
            throw new SearchTooExpensiveException(null);
        try
        {
            return await count();
        }
        catch (SearchTooExpensiveException)
        {
            // The expiration only frees the memory: it counts by a clock that can be set back.
            var entry = new MemoryCacheEntryOptions { Size = 1, AbsoluteExpirationRelativeToNow = period };
            refused.Set(key, clock.GetTimestamp(), entry);
            throw;
        }
    }

    public void Dispose() => refused.Dispose();
}

/// <summary>The search exceeded its time limit, now or a short time ago.</summary>
internal sealed class SearchTooExpensiveException(Exception? ended)
    : Exception("The search exceeded its time limit.", ended);
