using System.Globalization;
using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Caching;

public sealed class TagFenceTests
{
    private readonly TagFence fence = new(TimeProvider.System);

    [Fact]
    public void A_response_is_current_until_one_of_its_tags_is_announced()
    {
        Live(announced: 7, generation: 70);
        var mark = fence.Mark();
        fence.Receive("8 80 products:1 products categories:3:products");
        fence.Receive("9 90 orders");

        IsCurrent(mark, "products:2").ShouldBeTrue();
        foreach (var tag in (string[])["products:1", "products", "categories:3:products", "orders"])
            IsCurrent(mark, tag).ShouldBeFalse();
        IsCurrent(fence.Mark(), "products:1").ShouldBeTrue();
    }

    [Theory]
    [InlineData("9 90 orders")]
    [InlineData("8 80 *")]
    [InlineData("7 71 orders")]
    [InlineData("1 80 orders")]
    [InlineData("nonsense")]
    [InlineData("x y z")]
    public void A_gap_the_tag_of_everything_and_an_invalid_message_empty_the_memory(string message)
    {
        Live(announced: 7, generation: 70);
        var mark = fence.Mark();
        fence.Receive(message);
        IsCurrent(mark, "products:1").ShouldBeFalse();
        fence.IsLive.ShouldBeTrue();
    }

    [Fact]
    public void A_late_or_repeated_message_is_no_gap()
    {
        Live(announced: 7, generation: 70);
        fence.Receive("8 80 products");
        var mark = fence.Mark();
        fence.Receive("8 80 products");
        fence.Receive("7 70 reviews");
        fence.Receive("9 90 orders");
        IsCurrent(mark, "users").ShouldBeTrue();
    }

    [Fact]
    public void A_probe_with_another_number_shows_that_a_message_was_lost()
    {
        Live(announced: 7, generation: 70);
        var mark = fence.Mark();
        fence.Receive("? 7 70 another-process");
        IsCurrent(mark, "products").ShouldBeTrue();
        fence.Receive("? 8 80 another-process");
        IsCurrent(mark, "products").ShouldBeFalse();
    }

    [Fact]
    public void Only_a_probe_that_was_sent_after_the_loss_ends_it()
    {
        var before = NextProbe();
        fence.Suspend();
        fence.Receive($"? 7 70 {before}");
        fence.Receive("? 7 70 another-process");
        fence.Receive("8 80 products");
        fence.IsLive.ShouldBeFalse();

        fence.Receive($"? 8 80 {NextProbe()}");
        fence.IsLive.ShouldBeTrue();
    }

    [Fact]
    public void Nothing_cached_before_or_during_a_loss_is_current_after_it_even_if_the_numbers_agree()
    {
        Live(announced: 1, generation: 10);
        var before = fence.Mark();
        fence.Suspend();
        IsCurrent(before, "products").ShouldBeFalse();

        var meanwhile = fence.Mark();
        IsCurrent(meanwhile, "products").ShouldBeTrue();
        Live(announced: 1, generation: 20);
        IsCurrent(meanwhile, "products").ShouldBeFalse();
    }

    [Fact]
    public void Missing_probes_are_counted()
    {
        Live(announced: 0, generation: 0);
        fence.MissingProbes.ShouldBe(0);
        NextProbe();
        var last = NextProbe();
        fence.MissingProbes.ShouldBe(2);
        fence.Receive($"? 0 0 {last}");
        fence.MissingProbes.ShouldBe(0);
    }

    [Fact]
    public void A_response_older_than_the_bound_is_fresh_only_while_all_older_changes_were_announced()
    {
        var clock = new ManualClock();
        var timed = new TagFence(clock, 1);
        timed.Receive($"? 0 0 {timed.NextProbe(clock.GetTimestamp())}");
        var mark = timed.Mark();
        clock.Advance(TimeSpan.FromSeconds(1.5));
        // A change was applied now, and its tags are not raised.
        var applied = clock.GetTimestamp();
        timed.Receive($"? 0 0 {timed.NextProbe(applied)}");
        clock.Advance(TimeSpan.FromSeconds(1.9));
        timed.Receive($"? 0 0 {timed.NextProbe(applied)}");
        (timed.IsFresh(mark), timed.IsUpToDate).ShouldBe((true, true));

        clock.Advance(TimeSpan.FromSeconds(0.1));
        (timed.IsFresh(mark), timed.IsUpToDate, timed.IsLive).ShouldBe((false, false, true));
        timed.IsFresh(timed.Mark()).ShouldBeTrue("it is read now");
        timed.Mark().IsUpToDate.ShouldBeFalse("what Redis has may be older");

        timed.Receive($"? 0 0 {timed.NextProbe(clock.GetTimestamp())}");
        (timed.IsFresh(mark), timed.IsUpToDate).ShouldBe((true, true));
    }

    private void Live(long announced, long generation)
    {
        fence.Receive(string.Create(CultureInfo.InvariantCulture, $"? {announced} {generation} {NextProbe()}"));
        fence.IsLive.ShouldBeTrue();
    }

    private string NextProbe() => fence.NextProbe(TimeProvider.System.GetTimestamp());

    private bool IsCurrent(FenceMark mark, string tag) => fence.IsCurrent(mark, fence.SlotsOf([tag]));
}
