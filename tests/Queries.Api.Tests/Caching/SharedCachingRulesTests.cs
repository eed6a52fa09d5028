using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Tests.Caching;

public sealed class SharedCachingRulesTests
{
    private readonly ManualClock clock = new();
    private readonly TagFence fence;
    private readonly SharedCaching shared;

    public SharedCachingRulesTests()
    {
        fence = new TagFence(clock);
        fence.Receive($"? 7 70 {fence.NextProbe(clock.GetTimestamp())}");
        var rules = new SharedCachingRules(fence, Options.Create(new CachingOptions { SharedSeconds = 60 }));
        string[] tags = ["products:1"];
        shared = rules.Of(isPublic: true, tags, fence.Mark(), fence.SlotsOf(tags))!;
    }

    [Fact]
    public void A_response_that_is_sent_at_once_may_be_kept() => shared.IsAllowed().ShouldBeTrue();

    [Fact]
    public void A_response_whose_purge_was_announced_before_it_is_sent_may_not()
    {
        fence.Receive("8 80 products:1");
        shared.IsAllowed().ShouldBeFalse();
    }

    [Fact]
    public void A_response_that_is_sent_after_a_suspension_of_the_process_may_not()
    {
        clock.Advance(TimeSpan.FromMinutes(1));
        shared.IsAllowed().ShouldBeFalse();
    }
}
