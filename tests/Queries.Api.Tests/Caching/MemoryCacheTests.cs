using System.Diagnostics.Metrics;
using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Tests.Caching;

public sealed class MemoryCacheTests
{
    private static readonly CachedResponse older = CachedResponse.Of("older"u8.ToArray());
    private static readonly CachedResponse newer = CachedResponse.Of("newer"u8.ToArray());

    private readonly ManualClock clock = new();
    private readonly TagFence fence;
    private readonly MemoryCache<int> memory;
    private readonly int[] slots;

    public MemoryCacheTests()
    {
        fence = new TagFence(clock);
        slots = fence.SlotsOf(["products:1"]);
        var meters = new ServiceCollection().AddMetrics().BuildServiceProvider().GetRequiredService<IMeterFactory>();
        memory = new MemoryCache<int>(
            1, fence, Options.Create(new CachingOptions()), new CacheMetrics(meters, fence), clock);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Of_two_reads_at_the_same_time_the_one_that_began_last_is_kept(bool endsFirst)
    {
        var (first, last) = (Mark(), Mark());

        if (endsFirst) memory.Store(1, newer, last, slots);
        memory.Store(1, older, first, slots);
        if (!endsFirst) memory.Store(1, newer, last, slots);

        memory.Find(1).ShouldBe(newer);
        memory.HasLater(1, first).ShouldBeTrue();
        memory.HasLater(1, Mark()).ShouldBeFalse();
    }

    [Fact]
    public void A_response_that_is_not_current_keeps_no_other_out()
    {
        fence.Receive($"? 7 70 {fence.NextProbe(clock.GetTimestamp())}");
        var (first, last) = (Mark(), Mark());
        memory.Store(1, older, last, slots);
        fence.Receive("8 80 products:1");

        memory.HasLater(1, first).ShouldBeFalse();
        memory.Store(1, newer, Mark(), slots);

        memory.Find(1).ShouldBe(newer);
    }

    // Time passes between a mark and what follows it.
    private FenceMark Mark()
    {
        var mark = fence.Mark();
        clock.Advance(TimeSpan.FromMilliseconds(1));
        return mark;
    }
}
