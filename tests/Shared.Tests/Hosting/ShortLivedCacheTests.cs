using ApexShop.Hosting;
using ApexShop.TestKit;

namespace ApexShop.Shared.Tests.Hosting;

public sealed class ShortLivedCacheTests
{
    private static readonly TimeSpan second = TimeSpan.FromSeconds(1);

    private readonly ManualClock clock = new();
    private int asked;

    [Fact]
    public async Task A_thousand_at_once_are_one_question_and_so_are_those_of_the_same_second()
    {
        var open = new TaskCompletionSource();
        var moment = new ShortLivedCache<int>(async _ =>
        {
            var number = Interlocked.Increment(ref asked);
            await open.Task;
            return number;
        }, second, clock);

        var all = Enumerable.Range(0, 1_000).Select(_ => Task.Run(moment.GetAsync)).ToList();
        open.SetResult();

        (await Task.WhenAll(all)).ShouldAllBe(number => number == 1);
        clock.Advance(second - TimeSpan.FromTicks(1));
        (await moment.GetAsync()).ShouldBe(1);
        clock.Advance(TimeSpan.FromTicks(1));
        (await moment.GetAsync()).ShouldBe(2);
    }

    [Fact]
    public async Task A_question_that_takes_longer_than_its_answer_holds_is_still_asked_once()
    {
        var open = new TaskCompletionSource<int>();
        var moment = new ShortLivedCache<int>(_ =>
        {
            Interlocked.Increment(ref asked);
            return open.Task;
        }, second, clock);

        var first = moment.GetAsync();
        clock.Advance(TimeSpan.FromSeconds(5));
        var later = moment.GetAsync();
        open.SetResult(7);

        (await first).ShouldBe(7);
        (await later).ShouldBe(7);
        asked.ShouldBe(1);
    }

    [Fact]
    public async Task A_question_that_failed_is_asked_again_by_the_next_one()
    {
        var moment = new ShortLivedCache<int>(_ => ++asked == 1 ? Task.FromException<int>(new InvalidOperationException("unavailable")) : Task.FromResult(asked), second, clock);

        await Should.ThrowAsync<InvalidOperationException>(moment.GetAsync);
        (await moment.GetAsync()).ShouldBe(2);
    }
}
