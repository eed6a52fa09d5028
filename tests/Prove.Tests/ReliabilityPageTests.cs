using ApexShop.Prove.Checks;
using ApexShop.Prove.Faults;
using ApexShop.TestKit;

namespace ApexShop.Prove.Tests;

/// <summary>docs/reliability.md has the checks and the faults of the program.</summary>
public sealed class ReliabilityPageTests
{
    private const string Page = "reliability.md";

    [Fact]
    public void The_page_has_every_check() => DocTable.ShouldBe(
        Page, "| check | guarantee |", [.. Check.All.Select(check => $"| {check.Name} | {check.Guarantee} |")]);

    [Fact]
    public void The_page_has_every_fault() => DocTable.ShouldBe(
        Page, "| fault | what it does |", [.. Fault.All.Select(fault => $"| {fault.Name} | {fault.Text} |")]);

    [Fact]
    public void There_are_at_least_forty_faults_with_different_names()
    {
        Fault.All.Count.ShouldBeGreaterThanOrEqualTo(40);
        Fault.All.Select(fault => fault.Name).Distinct().Count().ShouldBe(Fault.All.Count);
    }

    [Theory]
    [InlineData("all", 40)]
    [InlineData("kill-redis, redis-", 6)]
    [InlineData("none", 0)]
    public void Faults_are_selected_by_the_beginnings_of_their_names(string list, int atLeast) =>
        Fault.Selected(list).Count.ShouldBeGreaterThanOrEqualTo(atLeast);

    [Fact]
    public void A_word_that_no_fault_begins_with_is_refused() =>
        Should.Throw<ArgumentException>(() => Fault.Selected("kill-,earthquake")).Message.ShouldContain("earthquake");

    [Fact]
    public void Lists_with_a_plus_are_injected_at_the_same_time() =>
        Fault.Lists("kill-,hang-+redis-flush").Select(list => list[0].Name)
            .ShouldBe(["kill-commands", "redis-flush"]);

    [Theory]
    [InlineData("kill-+pause-")]
    [InlineData("freeze-machine+redis-flush+rebuild-kill")]
    [InlineData("hang-+redis-")]
    public void Only_one_of_several_lists_may_have_exclusive_faults(string lists) =>
        Should.Throw<ArgumentException>(() => Fault.Lists(lists)).Message.ShouldContain("processes");
}
