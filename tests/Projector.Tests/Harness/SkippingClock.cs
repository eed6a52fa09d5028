using System.Collections.Concurrent;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>A clock on which every pause is over at once; it keeps their lengths.</summary>
internal sealed class SkippingClock : TimeProvider
{
    private long ticks = TimeSpan.TicksPerDay;
    private long setBack;

    public ConcurrentQueue<TimeSpan> Pauses { get; } = [];

    /// <summary>By how much the time of day is set back in the next pause.</summary>
    public TimeSpan SetBack { get; set; }

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Read(ref ticks);

    public override DateTimeOffset GetUtcNow() => new(GetTimestamp() - Interlocked.Read(ref setBack), TimeSpan.Zero);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        Pauses.Enqueue(dueTime);
        Interlocked.Add(ref ticks, dueTime.Ticks);
        Interlocked.Add(ref setBack, SetBack.Ticks);
        SetBack = TimeSpan.Zero;
        return base.CreateTimer(callback, state, TimeSpan.Zero, period);
    }
}
