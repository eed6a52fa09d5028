namespace ApexShop.Commands.Api.Persistence;

/// <summary>
/// The time with the precision of timestamptz, so that row, event and document contain the same value.
/// </summary>
internal static class Timestamps
{
    public static DateTimeOffset GetUtcMicroseconds(this TimeProvider clock)
    {
        var now = clock.GetUtcNow();
        return now.AddTicks(-(now.Ticks % TimeSpan.TicksPerMicrosecond));
    }
}
