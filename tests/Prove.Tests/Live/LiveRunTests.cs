using ApexShop.Prove.Histories;
using Xunit.Abstractions;

namespace ApexShop.Prove.Tests.Live;

[Collection(LiveRuns.Name)]
public sealed class LiveRunTests(ITestOutputHelper output, LiveShop shop)
{
    private const string Faults =
        "kill-queries,kill-projector,kill-commands,pause-,terminate-,cancel-,lock-,purge-queue,repeat-,reorder-,"
        + "rebuild,audit";

    [Fact]
    public async Task A_shop_keeps_its_guarantees_while_processes_sessions_and_messages_are_lost()
    {
        var (history, violations) = await shop.RunAsync(output, 15, Faults);
        history.Header.FaultsDone.ShouldBeGreaterThan(0);
        history.Attempts.Count(attempt => attempt.Outcome == Outcome.Acknowledged).ShouldBeGreaterThan(300);
        violations.Select(violation => $"{violation.Check}: {violation.Text}").ShouldBeEmpty();
    }
}
