using System.Collections.Concurrent;
using ApexShop.Commands.Api.Outbox;

namespace ApexShop.Commands.Api.Tests.Outbox;

public sealed class EventIdGeneratorTests
{
    private static readonly DateTimeOffset now = new(2026, 11, 20, 8, 30, 0, 123, TimeSpan.Zero);

    [Fact]
    public void Ids_of_one_moment_ascend_past_the_end_of_the_counter()
    {
        var ids = new EventIdGenerator(new StoppedClock());

        var some = Enumerable.Range(0, 10_000).Select(_ => ids.Next()).ToList();

        some.ShouldBeInOrder(SortDirection.Ascending);
        some.Select(id => id.ToString("N")).ShouldBeInOrder(SortDirection.Ascending);
        some.ShouldAllBe(id => id.Version == 7 && (id.Variant & 0b1100) == 0b1000);
        Convert.ToInt64(some[0].ToString("N")[..12], 16).ShouldBe(now.ToUnixTimeMilliseconds());
    }

    [Fact]
    public void No_id_is_given_twice_to_callers_at_the_same_time()
    {
        var (ids, given) = (new EventIdGenerator(new StoppedClock()), new ConcurrentBag<string>());

        // Without the random half: two that differ only there were the same place in the order.
        Parallel.For(0, 20_000, _ => given.Add(ids.Next().ToString("N")[..16]));

        given.Distinct().Count().ShouldBe(20_000);
    }

    private sealed class StoppedClock : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => now;
    }
}
