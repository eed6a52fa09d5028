using System.Diagnostics;

namespace ApexShop.Load.WriteSide;

/// <summary>This many callers, each of which sends the next request after the response.</summary>
internal static class ClosedLoop
{
    /// <summary>Runs <paramref name="step"/> on all connections for a time and returns the steps a second.</summary>
    public static Task<double> RateAsync(
        int connections, TimeSpan duration, Func<CancellationToken, Task> step, CancellationToken ct)
    {
        var started = Stopwatch.GetTimestamp();
        return RateAsync(connections, () => Stopwatch.GetElapsedTime(started) < duration, step, ct);
    }

    /// <summary>The same while <paramref name="isRunning"/> returns true.</summary>
    public static async Task<double> RateAsync(
        int connections, Func<bool> isRunning, Func<CancellationToken, Task> step, CancellationToken ct)
    {
        var started = Stopwatch.GetTimestamp();
        var counts = await Task.WhenAll(Enumerable.Range(0, connections).Select(CountAsync));
        return counts.Sum() / Stopwatch.GetElapsedTime(started).TotalSeconds;

        async Task<int> CountAsync(int connection)
        {
            await Task.Yield();
            var count = 0;
            for (; isRunning(); count++) await step(ct);
            return count;
        }
    }
}
