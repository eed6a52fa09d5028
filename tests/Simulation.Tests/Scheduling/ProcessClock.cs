namespace ApexShop.Simulation.Tests.Scheduling;

/// <summary>The time of the schedule; its timers run as steps of the process.</summary>
internal sealed class ProcessClock(Scheduler scheduler, SimulatedProcess process) : TimeProvider
{
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => scheduler.Now;

    public override DateTimeOffset GetUtcNow() => new(scheduler.Now, TimeSpan.Zero);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new StepTimer(scheduler, process, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    private sealed class StepTimer(
        Scheduler scheduler, SimulatedProcess process, TimerCallback callback, object? state) : ITimer
    {
        private long changes;
        private TimeSpan period;

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            changes++;
            this.period = period;
            if (dueTime != Timeout.InfiniteTimeSpan) scheduler.After(dueTime, process, Fire, changes);
            return true;
        }

        public void Dispose() => changes++;

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }

        private void Fire(object? change)
        {
            if ((long)change! != changes) return;
            if (period > TimeSpan.Zero) scheduler.After(period, process, Fire, changes);
            callback(state);
        }
    }
}
