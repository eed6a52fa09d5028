namespace ApexShop.Simulation.Tests.Scheduling;

/// <summary>
/// One run of a process: the context of all its continuations and timers. After a crash none of them runs any more.
/// </summary>
internal sealed class SimulatedProcess(Scheduler scheduler, string name) : SynchronizationContext
{
    private readonly List<Action> atEnd = [];

    public string Name => name;

    public bool IsDead { get; private set; }

    /// <summary>No step runs before this time.</summary>
    public long HungUntil { get; set; }

    /// <summary>When the last hang began.</summary>
    public long HungFrom { get; private set; }

    public void Hang(TimeSpan time)
    {
        if (HungUntil <= scheduler.Now) HungFrom = scheduler.Now;
        HungUntil = Math.Max(HungUntil, scheduler.Now + time.Ticks);
        scheduler.Trace.Add(scheduler.Now, name, "hangs", (long)time.TotalMilliseconds);
    }

    public bool IsRunning => !IsDead && HungUntil <= scheduler.Now;

    public TimeProvider Clock => field ??= new ProcessClock(scheduler, this);

    public override void Post(SendOrPostCallback d, object? state) => scheduler.Post(this, d, state);

    public override void Send(SendOrPostCallback d, object? state) => d(state);

    public override SynchronizationContext CreateCopy() => this;

    /// <summary>Starts work whose failure is a failure of the schedule.</summary>
    public void Run(Func<Task> work) => Post(_ => Observe(work()), null);

    /// <summary>What the servers see of the end of the process.</summary>
    public void AtEnd(Action act) => atEnd.Add(act);

    public void Crash()
    {
        if (IsDead) return;
        IsDead = true;
        scheduler.Trace.Add(scheduler.Now, name, "crashes");
        foreach (var act in atEnd) act();
    }

    private async void Observe(Task work)
    {
        try
        {
            await work;
        }
        catch (Exception exception)
        {
            scheduler.Fail(new InvalidOperationException($"{name} failed: {exception.Message}", exception));
        }
    }
}
