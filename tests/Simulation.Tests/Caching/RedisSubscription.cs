using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Scheduling;

namespace ApexShop.Simulation.Tests.Caching;

/// <summary>
/// A subscription to the announcements: they arrive in order. After a loss the client connects again by itself; what
/// was sent meanwhile is gone, and the client may see the loss late, or only its end.
/// </summary>
internal sealed class RedisSubscription(
    SimulatedProcess process, Network network, Action<string> receive, Action failed, Action restored)
{
    private long arrival;
    private int losses;

    public bool IsConnected { get; private set; } = true;

    public void Send(string message)
    {
        if (!IsConnected) return;
        var (scheduler, sent) = (network.Scheduler, losses);
        arrival = Math.Max(arrival + 1, scheduler.Now + network.Faults.Delay().Ticks);
        scheduler.After(TimeSpan.FromTicks(arrival - scheduler.Now), process, _ =>
        {
            if (sent == losses) receive(message);
        });
    }

    public void Break()
    {
        var (scheduler, random) = (network.Scheduler, network.Scheduler.Random);
        if (!IsConnected) return;
        IsConnected = false;
        losses++;
        scheduler.Trace.Add(scheduler.Now, process.Name, "subscription breaks");
        var seen = random.Between(0, random.Of(1, 1_000));
        var back = seen + random.Between(0, random.Of(10, 3_000));
        if (random.Next(4) > 0) scheduler.After(seen, process, _ => failed());
        scheduler.After(back, () => IsConnected = true);
        scheduler.After(back + network.Faults.Delay(), process, _ => restored());
    }
}
