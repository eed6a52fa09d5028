using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Tests.Caching;

public sealed class RecentKeysTests
{
    private readonly ManualClock clock = new();

    [Fact]
    public void A_key_is_recent_until_the_window_after_its_last_request_is_over()
    {
        var recent = new RecentKeys(Options.Create(new CachingOptions { RedisSeconds = 300 }), clock);
        recent.Add("products/cursor?after=1").ShouldBeFalse();
        recent.Add("products/cursor?after=2").ShouldBeFalse();
        recent.Add("products/cursor?after=1").ShouldBeTrue();

        clock.Advance(TimeSpan.FromSeconds(299));
        recent.Add("products/cursor?after=1").ShouldBeTrue();
        clock.Advance(TimeSpan.FromSeconds(302));
        recent.Add("products/cursor?after=1").ShouldBeFalse();
        recent.Add("products/cursor?after=1").ShouldBeTrue();
    }
}
