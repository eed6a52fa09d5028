namespace ApexShop.Projector.Tests.Harness;

/// <summary>A clock with a step between any two timestamps, however long the work between them takes.</summary>
internal sealed class SteppingClock(TimeSpan step) : TimeProvider
{
    private long timestamp;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Add(ref timestamp, step.Ticks);
}
