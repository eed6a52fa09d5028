namespace ApexShop.Simulation.Tests.Scheduling;

/// <summary>
/// Runs everything that is ready, one step at a time on one thread, in an order that follows from the seed. Time moves
/// only when nothing is ready.
/// </summary>
internal sealed class Scheduler
{
    /// <summary>The time at which every schedule begins, in ticks of UTC.</summary>
    public static readonly long Start = new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc).Ticks;

    private const int MostStepsOfOneTime = 100_000;

    private readonly List<Step> ready = [];
    private readonly List<Step> held = [];
    private readonly PriorityQueue<Step, (long Due, long Order)> alarms = new();
    private long order;
    private int stepsOfNow;
    private bool isEnded;

    // Null between runs.
    private int? thread;

    public Scheduler(long seed)
    {
        Random = new(seed);
        World = new(this, "world");
    }

    public SeededRandom Random { get; }

    public Trace Trace { get; } = new();

    public long Now { get; private set; } = Start;

    public TimeSpan Elapsed => TimeSpan.FromTicks(Now - Start);

    /// <summary>Where servers and clients run, which the faults of processes do not end.</summary>
    public SimulatedProcess World { get; }

    /// <summary>The first thing that went wrong; the schedule ends with it.</summary>
    public Exception? Failure { get; private set; }

    public void Fail(Exception failure) => Failure ??= failure;

    /// <summary>Nothing runs any more.</summary>
    public void End() => isEnded = true;

    public void Post(SimulatedProcess process, SendOrPostCallback call, object? state)
    {
        // The timers of a process that has crashed are finalized on a thread of .NET.
        if (process.IsDead || isEnded) return;
        if (thread is null || Environment.CurrentManagedThreadId == thread) ready.Add(new(process, call, state));
        else Fail(new InvalidOperationException($"A step of {process.Name} left the thread: {Environment.StackTrace}"));
    }

    public void After(TimeSpan delay, SimulatedProcess process, SendOrPostCallback call, object? state = null) =>
        alarms.Enqueue(new(process, call, state), (Now + Math.Max(0, delay.Ticks), order++));

    public void After(TimeSpan delay, Action act) => After(delay, World, static act => ((Action)act!)(), act);

    /// <summary>What was to be done by processes while they hung is done by those that continue.</summary>
    public void Release()
    {
        ready.AddRange(held.Where(step => step.Process.HungUntil <= Now));
        held.RemoveAll(step => step.Process.HungUntil <= Now);
    }

    /// <summary>Runs steps until the time is over or something fails.</summary>
    public void RunUntil(TimeSpan time)
    {
        var before = SynchronizationContext.Current;
        thread = Environment.CurrentManagedThreadId;
        try
        {
            while (Failure is null && (ready.Count > 0 || AdvanceTo(Start + time.Ticks))) RunOne();
            Now = Math.Max(Now, Start + time.Ticks);
        }
        finally
        {
            thread = null;
            SynchronizationContext.SetSynchronizationContext(before);
        }
    }

    private void RunOne()
    {
        var index = ready.Count == 1 ? 0 : Random.Next(ready.Count);
        var step = ready[index];
        ready[index] = ready[^1];
        ready.RemoveAt(ready.Count - 1);
        if (step.Process.IsDead) return;
        if (++stepsOfNow > MostStepsOfOneTime) Fail(new InvalidOperationException($"{step.Process.Name} never waits."));
        if (step.Process.HungUntil > Now)
        {
            held.Add(step);
            After(TimeSpan.FromTicks(step.Process.HungUntil - Now), Release);
            return;
        }

        SynchronizationContext.SetSynchronizationContext(step.Process);
        try
        {
            step.Call(step.State);
        }
        catch (Exception exception)
        {
            Fail(exception);
        }
    }

    private bool AdvanceTo(long limit)
    {
        if (!alarms.TryPeek(out _, out var next) || next.Due > limit) return false;
        if (next.Due > Now) stepsOfNow = 0;
        Now = Math.Max(Now, next.Due);
        while (alarms.TryPeek(out var step, out next) && next.Due <= Now)
        {
            alarms.Dequeue();
            ready.Add(step);
        }

        return true;
    }

    private readonly record struct Step(SimulatedProcess Process, SendOrPostCallback Call, object? State);
}
