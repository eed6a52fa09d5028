namespace ApexShop.TestKit;

/// <summary>A clock that moves only when a test moves it.</summary>
public sealed class ManualClock : TimeProvider
{
    private long ticks = TimeSpan.TicksPerDay;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => ticks;

    public override DateTimeOffset GetUtcNow() => new(ticks, TimeSpan.Zero);

    public void Advance(TimeSpan by) => ticks += by.Ticks;
}
