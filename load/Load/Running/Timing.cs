namespace ApexShop.Load.Running;

internal static class Timing
{
    // Timers tick in milliseconds and round down: rounded up, nothing starts before its time.
    public static Task WaitAsync(TimeProvider clock, TimeSpan time, CancellationToken ct) =>
        time <= TimeSpan.Zero
            ? Task.CompletedTask
            : Task.Delay(TimeSpan.FromMilliseconds(Math.Ceiling(time.TotalMilliseconds)), clock, ct);
}
