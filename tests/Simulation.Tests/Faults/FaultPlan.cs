using ApexShop.Simulation.Tests.Scheduling;

namespace ApexShop.Simulation.Tests.Faults;

/// <summary>
/// How often the operations of a schedule are slow or lost, and how often a process crashes at one. Drawn from the
/// seed, so that there are calm, slow and broken schedules; healed at the end of each.
/// </summary>
internal sealed class FaultPlan
{
    private readonly SeededRandom random;
    private double slow;
    private double lost;
    private double crash;

    public FaultPlan(SeededRandom random)
    {
        this.random = random;
        slow = random.Of(0, 0.005, 0.05);
        lost = random.Of(0, 0.002, 0.02);
        crash = random.Of(0, 0.0005, 0.004);
    }

    public bool IsHealed { get; private set; }

    public void Heal() => (slow, lost, crash, IsHealed) = (0, 0, 0, true);

    /// <summary>The time of a message from one computer to another.</summary>
    public TimeSpan Delay() => random.Chance(slow) ? random.Between(20, 2_000) : random.Between(0.05, 2);

    /// <summary>Less than the time that the caller waits.</summary>
    public TimeSpan ShortDelay() => random.Between(0.05, 20);

    public bool IsLost() => random.Chance(lost);

    public bool IsCrash() => random.Chance(crash);
}
