using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests;

public sealed class PausesTests
{
    private const long Second = 1_000_000;

    [Fact]
    public void A_change_that_no_read_shows_is_a_pause_though_commands_and_reads_are_answered()
    {
        // A change each second, and a read that shows the change of the second before; from 3 to 7 it shows no newer.
        var commands = Enumerable.Range(0, 12).Select(second => Write(second * Second, version: second + 1));
        var reads = Enumerable.Range(1, 11).Select(
            second => Read(second * Second + 1, version: second is >= 3 and < 7 ? 3 : second));

        Pauses.Of(During(3 * Second, 7 * Second, [.. commands, .. reads])).ShouldBe(
            ["  fault (1): 1.0 s without a command, 1.0 s without a read, 5.0 s until a read showed a change"]);
    }

    [Fact]
    public void Less_than_a_second_is_no_pause()
    {
        var commands = Enumerable.Range(0, 20).Select(tick => Write(tick * Second / 4, version: tick + 1));
        var reads = Enumerable.Range(0, 20).Select(tick => Read(tick * Second / 4 + 1, version: tick + 1));

        Pauses.Of(During(Second, 2 * Second, [.. commands, .. reads])).ShouldBeEmpty();
    }

    private static Attempt Write(long end, long version) => new()
    {
        Operation = "products.replace", Outcome = Outcome.Acknowledged, End = end,
        Saved = [new Saved(Kinds.Products, 1, version)],
    };

    private static Attempt Read(long end, long version) => new()
    {
        Operation = "products.document", Outcome = Outcome.Acknowledged, End = end, Seen = [new Sight(1, version, 0)],
    };

    private static History During(long start, long end, IReadOnlyList<Attempt> attempts)
    {
        InjectedFault fault = new("fault", start, end);
        return new(new RunHeader(1, 1, 20, fault.Name, 0, false, 1, [fault]), attempts, [], new());
    }
}
