namespace ApexShop.Load.Running;

/// <summary>
/// How well the generator kept to the plan. If arrivals start late because this process or its machine is too
/// busy, the figures are not the shop's.
/// </summary>
internal sealed class Pacing
{
    /// <summary>A later start is late: well beyond a timer's tick.</summary>
    public static readonly TimeSpan Late = TimeSpan.FromMilliseconds(10);

    /// <summary>From this share of late starts the generator counts as the limit.</summary>
    public const double Tolerated = 0.01;

    private long heldBack;

    /// <summary>
    /// The delays of arrivals against the plan, and in closed phases of a regular timer.
    /// </summary>
    public Histogram Lateness { get; } = new();

    /// <summary>Arrivals that waited because the maximum of iterations was running.</summary>
    public long HeldBack => Volatile.Read(ref heldBack);

    public double LateShare => Lateness.Count is > 0 and var all ? (double)Lateness.CountAbove(Late) / all : 0;

    public bool IsLimit => LateShare > Tolerated;

    public void Hold() => Interlocked.Increment(ref heldBack);
}
