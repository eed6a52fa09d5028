namespace ApexShop.Commands.Api.Persistence;

/// <summary>The time as timestamptz keeps it: row, event and document agree to the digit.</summary>
internal static class Timestamps
{
    public static DateTimeOffset GetUtcMicroseconds(this TimeProvider clock)
    {
        var now = clock.GetUtcNow();
        return now.AddTicks(-(now.Ticks % TimeSpan.TicksPerMicrosecond));
    }
}
