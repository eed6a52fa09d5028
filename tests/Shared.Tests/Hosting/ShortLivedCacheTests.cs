using ApexShop.Hosting;
using ApexShop.TestKit;

namespace ApexShop.Shared.Tests.Hosting;

public sealed class ShortLivedCacheTests
{
    private static readonly TimeSpan second = TimeSpan.FromSeconds(1);

    private readonly ManualClock clock = new();
    private int loads;

    [Fact]
    public async Task Concurrent_readers_and_readers_within_the_lifetime_share_one_load()
    {
        var open = new TaskCompletionSource();
        var cache = new ShortLivedCache<int>(async _ =>
        {
            var number = Interlocked.Increment(ref loads);
            await open.Task;
            return number;
        }, _ => second, clock);

        var all = Enumerable.Range(0, 1_000).Select(_ => Task.Run(cache.GetAsync)).ToList();
        open.SetResult();

        (await Task.WhenAll(all)).ShouldAllBe(number => number == 1);
        clock.Advance(second - TimeSpan.FromTicks(1));
        (await cache.GetAsync()).ShouldBe(1);
        clock.Advance(TimeSpan.FromTicks(1));
        (await cache.GetAsync()).ShouldBe(2);
    }

    [Fact]
    public async Task A_load_that_takes_longer_than_the_lifetime_is_still_shared()
    {
        var open = new TaskCompletionSource<int>();
        var cache = new ShortLivedCache<int>(_ =>
        {
            Interlocked.Increment(ref loads);
            return open.Task;
        }, _ => second, clock);

        var first = cache.GetAsync();
        clock.Advance(TimeSpan.FromSeconds(5));
        var later = cache.GetAsync();
        open.SetResult(7);

        (await first).ShouldBe(7);
        (await later).ShouldBe(7);
        loads.ShouldBe(1);
    }

    [Fact]
    public async Task A_failed_load_is_repeated_by_the_next_reader()
    {
        var cache = new ShortLivedCache<int>(
            _ => ++loads == 1
                ? Task.FromException<int>(new InvalidOperationException("unavailable"))
                : Task.FromResult(loads),
            _ => second,
            clock);

        await Should.ThrowAsync<InvalidOperationException>(cache.GetAsync);
        (await cache.GetAsync()).ShouldBe(2);
    }

    [Fact]
    public async Task The_value_decides_how_long_it_is_kept()
    {
        var cache = new ShortLivedCache<int>(
            _ => Task.FromResult(++loads), number => number == 1 ? second / 10 : second, clock);

        (await cache.GetAsync()).ShouldBe(1);
        clock.Advance(second / 10);
        (await cache.GetAsync()).ShouldBe(2);
        clock.Advance(second / 10);
        (await cache.GetAsync()).ShouldBe(2);
    }
}
