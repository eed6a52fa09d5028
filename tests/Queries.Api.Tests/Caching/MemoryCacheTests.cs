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

    // The snapshot of the read that began first may be the later one.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Of_two_reads_at_the_same_time_with_other_content_none_is_served(bool firstEndsFirst)
    {
        var (first, second) = (Mark(), Mark());

        Store(firstEndsFirst ? older : newer, firstEndsFirst ? first : second);
        Store(firstEndsFirst ? newer : older, firstEndsFirst ? second : first);

        memory.Find(1).ShouldBeNull();
        memory.IsDisputed(1).ShouldBeTrue();
        memory.MayServe(1, older, second).ShouldBeFalse();
        Store(newer, Mark());
        memory.Find(1).ShouldBe(newer);
        memory.IsDisputed(1).ShouldBeFalse();
    }

    [Fact]
    public void A_read_that_began_before_the_second_of_two_was_received_is_served_if_it_has_the_same_content()
    {
        var (first, second) = (Mark(), Mark());
        Store(older, first);
        var third = Mark();
        Store(newer, second);

        memory.MayServe(1, older, third).ShouldBeFalse();
        Store(newer, third);

        memory.Find(1).ShouldBe(newer);
    }

    [Fact]
    public void Of_two_reads_with_the_same_content_the_later_mark_is_kept()
    {
        fence.Receive($"? 7 70 {fence.NextProbe(clock.GetTimestamp())}");
        var first = Mark();
        fence.Receive("8 80 products:1");
        Store(newer, Mark());

        Store(newer, first);

        memory.Find(1).ShouldBe(newer);
    }

    [Fact]
    public void A_read_joins_another_one_that_began_after_the_content_was_received_first()
    {
        Store(older, Mark());
        var between = Mark();
        Store(older, Mark());
        memory.MayJoin(1, between).ShouldBeTrue();

        Store(newer, Mark());

        memory.MayJoin(1, between).ShouldBeFalse();
        memory.MayJoin(1, Mark()).ShouldBeTrue();
    }

    [Fact]
    public void What_is_not_kept_ends_what_was_kept_before()
    {
        Store(older, Mark());
        var (large, early) = (CachedResponse.Of(new byte[CachingOptions.LargestResponse + 1]), Mark());
        Store(large, Mark());
        memory.Find(1).ShouldBeNull();
        memory.MayServe(1, older, early).ShouldBeFalse();

        Store(newer, Mark());
        memory.Remove(1, Mark());

        memory.Find(1).ShouldBeNull();
    }

    [Fact]
    public void A_response_that_is_not_current_keeps_no_other_out()
    {
        fence.Receive($"? 7 70 {fence.NextProbe(clock.GetTimestamp())}");
        Store(older, Mark());
        fence.Receive("8 80 products:1");

        Store(newer, Mark());

        memory.Find(1).ShouldBe(newer);
    }

    // Time passes between the end of a read and what follows it.
    private void Store(CachedResponse response, FenceMark mark)
    {
        memory.Store(1, response, mark, slots);
        clock.Advance(TimeSpan.FromMilliseconds(1));
    }

    // Time passes between a mark and what follows it.
    private FenceMark Mark()
    {
        var mark = fence.Mark();
        clock.Advance(TimeSpan.FromMilliseconds(1));
        return mark;
    }
}
