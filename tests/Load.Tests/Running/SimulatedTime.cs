using System.Collections.Concurrent;

namespace ApexShop.Load.Tests.Running;

/// <summary>
/// A clock that stops while code can run and then jumps to the next timer: ten seconds take no real time, and
/// every run is identical.
/// </summary>
internal sealed class SimulatedTime : TimeProvider
{
    private readonly PriorityQueue<SimulatedTimer, (long Due, long Number)> timers = new();
    private readonly ConcurrentQueue<(SendOrPostCallback Callback, object? State)> ready = new();
    private long now;
    private long number;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => now;

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch + new TimeSpan(now);

    /// <summary>Simulates a busy thread for this time.</summary>
    public void Burn(TimeSpan time) => now += time.Ticks;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new SimulatedTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Runs a task to its end on this thread.</summary>
    public T Run<T>(Func<Task<T>> work)
    {
        var before = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(new OneThread(this));
        try
        {
            var task = work();
            while (!task.IsCompleted)
            {
                if (ready.TryDequeue(out var next)) next.Callback(next.State);
                else if (timers.TryDequeue(out var timer, out var when)) timer.Fire(when.Due);
                else throw new InvalidOperationException("No timer is pending, but the task has not finished.");
            }

            return task.GetAwaiter().GetResult();
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(before);
        }
    }

    private sealed class OneThread(SimulatedTime time) : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => time.ready.Enqueue((d, state));
    }

    private sealed class SimulatedTimer(SimulatedTime time, TimerCallback callback, object? state) : ITimer
    {
        private long due = -1;
        private TimeSpan every = Timeout.InfiniteTimeSpan;

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            every = period;
            Schedule(dueTime == Timeout.InfiniteTimeSpan ? -1 : time.now + dueTime.Ticks);
            return true;
        }

        // An entry of the queue is valid only while it is the newest of its timer.
        public void Fire(long when)
        {
            if (when != due) return;
            time.now = Math.Max(time.now, when);
            Schedule(every > TimeSpan.Zero ? time.now + every.Ticks : -1);
            callback(state);
        }

        public void Dispose() => due = -1;

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }

        private void Schedule(long at)
        {
            due = at;
            if (at >= 0) time.timers.Enqueue(this, (at, time.number++));
        }
    }
}
