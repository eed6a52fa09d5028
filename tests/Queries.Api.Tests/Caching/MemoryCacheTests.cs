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

    public MemoryCacheTests()
    {
        fence = new TagFence(clock);
        var meters = new ServiceCollection().AddMetrics().BuildServiceProvider().GetRequiredService<IMeterFactory>();
        memory = new MemoryCache<int>(
            1, fence, Options.Create(new CachingOptions()), new CacheMetrics(meters, fence), clock);
    }

    [Fact]
    public void Of_two_reads_at_the_same_time_with_different_contents_neither_is_kept()
    {
        var slow = Mark();
        memory.Store(1, newer, Mark(), []);
        clock.Advance(TimeSpan.FromMilliseconds(1));

        memory.IsContradicted(1, older, slow).ShouldBeTrue();
        memory.Store(1, older, slow, []);

        memory.Find(1).ShouldBeNull();
    }

    [Fact]
    public void Of_two_reads_at_the_same_time_with_the_same_content_the_last_is_kept()
    {
        var slow = Mark();
        memory.Store(1, newer, Mark(), []);

        memory.Store(1, newer, slow, []);

        memory.Find(1).ShouldBe(newer);
    }

    [Fact]
    public void A_read_that_began_after_another_one_was_stored_replaces_it()
    {
        memory.Store(1, older, Mark(), []);
        clock.Advance(TimeSpan.FromMilliseconds(1));

        memory.Store(1, newer, Mark(), []);

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
