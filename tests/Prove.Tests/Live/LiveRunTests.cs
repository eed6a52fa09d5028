using ApexShop.Prove.Checks;
using ApexShop.Prove.Histories;
using Xunit.Abstractions;

namespace ApexShop.Prove.Tests.Live;

public sealed class LiveRunTests(ITestOutputHelper output, LiveShop shop) : IClassFixture<LiveShop>
{
    private const string Faults =
        "kill-queries,kill-projector,kill-commands,pause-,terminate-,cancel-,lock-,purge-queue,repeat-,reorder-,rebuild,audit";

    [Fact]
    public async Task A_shop_keeps_its_guarantees_while_processes_sessions_and_messages_are_lost()
    {
        var (history, violations) = await shop.RunAsync(output, 20, Faults);
        history.Header.FaultsDone.ShouldBeGreaterThan(3);
        history.Attempts.Count(attempt => attempt.Outcome == Outcome.Acknowledged).ShouldBeGreaterThan(300);
        violations.Select(violation => $"{violation.Check}: {violation.Text}").ShouldBeEmpty();
        Check.All.Count.ShouldBeGreaterThan(15);
    }
}
