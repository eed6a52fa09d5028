namespace ApexShop.Load.Running;

/// <summary>
/// How well the generator itself kept to the plan. Arrivals that start late because this process or its machine is too
/// busy make a figure that says nothing about the shop.
/// </summary>
internal sealed class Pacing
{
    /// <summary>Later than this is late: well beyond a timer's tick.</summary>
    public static readonly TimeSpan Late = TimeSpan.FromMilliseconds(10);

    /// <summary>The share of late starts from which the generator counts as the limit.</summary>
    public const double Tolerated = 0.01;

    private long heldBack;

    /// <summary>
    /// From the planned moment to the real one: of arrivals, and in closed phases of a regular pulse.
    /// </summary>
    public Histogram Lateness { get; } = new();

    /// <summary>Arrivals that had to wait because as many iterations as allowed were running already.</summary>
    public long HeldBack => Volatile.Read(ref heldBack);

    public double LateShare => Lateness.Count is > 0 and var all ? (double)Lateness.CountAbove(Late) / all : 0;

    public bool IsLimit => LateShare > Tolerated;

    public void Hold() => Interlocked.Increment(ref heldBack);
}
