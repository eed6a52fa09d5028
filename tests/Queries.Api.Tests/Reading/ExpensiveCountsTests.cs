using ApexShop.Queries.Api.Reading;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Reading;

public sealed class ExpensiveCountsTests
{
    [Fact]
    public async Task A_count_that_was_too_expensive_is_refused_for_a_minute_and_tried_again_after_it()
    {
        var clock = new ManualClock();
        using var counts = new ExpensiveCounts(clock);
        var attempts = 0;
        Task<int> CountAsync()
        {
            attempts++;
            throw new SearchTooExpensiveException(null);
        }

        await Should.ThrowAsync<SearchTooExpensiveException>(() => counts.RunAsync("chairs", CountAsync));
        clock.Advance(TimeSpan.FromSeconds(59));
        await Should.ThrowAsync<SearchTooExpensiveException>(() => counts.RunAsync("chairs", CountAsync));
        attempts.ShouldBe(1);

        clock.Advance(TimeSpan.FromSeconds(1));
        (await counts.RunAsync("chairs", () => Task.FromResult(7))).ShouldBe(7);
    }

    [Fact]
    public async Task A_count_that_failed_in_another_way_is_tried_again_at_once()
    {
        using var counts = new ExpensiveCounts(new ManualClock());
        await Should.ThrowAsync<TimeoutException>(
            () => counts.RunAsync<int>("chairs", () => throw new TimeoutException()));

        (await counts.RunAsync("chairs", () => Task.FromResult(7))).ShouldBe(7);
    }
}
