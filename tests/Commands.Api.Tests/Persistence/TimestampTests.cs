using ApexShop.Commands.Api.Persistence;

namespace ApexShop.Commands.Api.Tests.Persistence;

public sealed class TimestampTests
{
    [Fact]
    public void A_time_is_cut_to_what_the_database_keeps() =>
        new Clock(new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero).AddTicks(1_234_569)).GetUtcMicroseconds()
            .ShouldBe(new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero).AddTicks(1_234_560));

    private sealed class Clock(DateTimeOffset now) : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => now;
    }
}
