using System.Diagnostics;

namespace ApexShop.TestKit;

/// <summary>Waits for an observable effect instead of a fixed time.</summary>
public static class Eventually
{
    /// <summary>The same for a condition that needs no waiting itself.</summary>
    public static Task Holds(Func<bool> condition, string what, TimeSpan? deadline = null) =>
        Holds(() => Task.FromResult(condition()), what, deadline);

    /// <summary>
    /// Polls until the condition holds; after the deadline the test fails with the awaited condition.
    /// </summary>
    public static async Task Holds(Func<Task<bool>> condition, string what, TimeSpan? deadline = null)
    {
        var limit = deadline ?? TimeSpan.FromSeconds(30);
        var clock = Stopwatch.StartNew();
        while (!await condition())
        {
            if (clock.Elapsed > limit) throw new TimeoutException($"Not within {limit.TotalSeconds:0} s: {what}");
            await Task.Delay(20);
        }
    }
}
