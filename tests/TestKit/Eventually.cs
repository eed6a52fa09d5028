using System.Diagnostics;

namespace ApexShop.TestKit;

/// <summary>Waits for an observable effect instead of a fixed time.</summary>
public static class Eventually
{
    // In a pause of this machine, what is awaited has no turn either: so a turn counts no more than this.
    private static readonly TimeSpan longestTurn = TimeSpan.FromMilliseconds(250);

    // What pauses may add to a deadline: a condition that takes long itself does not make a test endless.
    private static readonly TimeSpan longestPauses = TimeSpan.FromMinutes(1);

    /// <summary>The same for a condition that needs no waiting itself.</summary>
    public static Task Holds(Func<bool> condition, string what, TimeSpan? deadline = null) =>
        Holds(() => Task.FromResult(condition()), what, deadline);

    /// <summary>
    /// Polls until the condition holds; after the deadline the test fails with the awaited condition.
    /// </summary>
    public static async Task Holds(Func<Task<bool>> condition, string what, TimeSpan? deadline = null)
    {
        var limit = deadline ?? TimeSpan.FromSeconds(30);
        var (began, waited) = (Stopwatch.GetTimestamp(), TimeSpan.Zero);
        for (var turn = Stopwatch.StartNew(); !await condition(); turn.Restart())
        {
            if (waited > limit || Stopwatch.GetElapsedTime(began) > limit + longestPauses)
                throw new TimeoutException($"Not within {limit.TotalSeconds:0} s: {what}");
            await Task.Delay(20);
            waited += turn.Elapsed < longestTurn ? turn.Elapsed : longestTurn;
        }
    }
}
