using ApexShop.Limits;
using ApexShop.TestKit;

namespace ApexShop.Shared.Tests.Limits;

public sealed class AttemptRateLimitTests
{
    private readonly ManualClock clock = new();

    [Fact]
    public void So_many_attempts_of_one_text_pass_and_later_one_more()
    {
        var rate = new AttemptRateLimit(new RateOptions { Requests = 5, Seconds = 300, Burst = 5 }, clock);
        for (var i = 0; i < 5; i++) rate.Count("ada").ShouldBe(0);

        rate.Count("ada").ShouldBe(60);
        rate.Count("mary").ShouldBe(0);
        clock.Advance(TimeSpan.FromSeconds(60));
        rate.Count("ada").ShouldBe(0);
        rate.Count("ada").ShouldBe(60);
    }
}
