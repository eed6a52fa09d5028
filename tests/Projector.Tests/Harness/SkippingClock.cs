using System.Collections.Concurrent;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>A clock on which every pause is over at once; it keeps their lengths.</summary>
internal sealed class SkippingClock : TimeProvider
{
    private long ticks = TimeSpan.TicksPerDay;

    public ConcurrentQueue<TimeSpan> Pauses { get; } = [];

    public override DateTimeOffset GetUtcNow() => new(Interlocked.Read(ref ticks), TimeSpan.Zero);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        Pauses.Enqueue(dueTime);
        Interlocked.Add(ref ticks, dueTime.Ticks);
        return base.CreateTimer(callback, state, TimeSpan.Zero, period);
    }
}
