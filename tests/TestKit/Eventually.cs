using System.Diagnostics;

namespace ApexShop.TestKit;

/// <summary>Waits for an observable effect instead of a fixed time.</summary>
public static class Eventually
{
    private static readonly TimeSpan interval = TimeSpan.FromMilliseconds(20);

    // While this machine pauses, what is awaited does not run either: an interval counts no more than this.
    private static readonly TimeSpan longestInterval = TimeSpan.FromMilliseconds(250);

    /// <summary>The same for a condition that needs no waiting itself.</summary>
    public static Task Holds(Func<bool> condition, string what, TimeSpan? deadline = null) =>
        Holds(() => Task.FromResult(condition()), what, deadline);

    /// <summary>
    /// Polls until the condition holds; after the deadline the test fails with the awaited condition.
    /// </summary>
    public static async Task Holds(Func<Task<bool>> condition, string what, TimeSpan? deadline = null)
    {
        var limit = deadline ?? TimeSpan.FromSeconds(30);
        var waited = TimeSpan.Zero;
        for (var attempt = Stopwatch.StartNew(); !await condition(); attempt.Restart())
        {
            waited += attempt.Elapsed;
            if (waited > limit) throw new TimeoutException($"Not within {limit.TotalSeconds:0} s: {what}");
            attempt.Restart();
            await Task.Delay(interval);
            waited += attempt.Elapsed < longestInterval ? attempt.Elapsed : longestInterval;
        }
    }
}
