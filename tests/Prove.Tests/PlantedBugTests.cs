using System.IO.Compression;
using ApexShop.Prove.Checks;
using ApexShop.Prove.Histories;
using ApexShop.Prove.Synthetic;
using ApexShop.Prove.Tests.Planted;

namespace ApexShop.Prove.Tests;

/// <summary>
/// Every check finds a bug that is planted in the history of a real run (Recorded.zip, with its seed in header.json),
/// and finds nothing in the history itself.
/// </summary>
public sealed class PlantedBugTests
{
    private static readonly Lazy<Task<History>> recorded = new(ReadAsync);

    public static TheoryData<string> Bugs => [.. PlantedBug.All.Select(bug => bug.Name)];

    public static TheoryData<string> Checks => [.. Check.All.Select(check => check.Name)];

    [Fact]
    public async Task The_recorded_history_has_no_violation()
    {
        var history = await recorded.Value;
        history.Attempts.Count.ShouldBeGreaterThan(1000);
        Enum.GetValues<Outcome>().Except(history.Attempts.Select(attempt => attempt.Outcome)).ShouldBeEmpty();
        Operation.All.Keys.Except(history.Attempts.Select(attempt => attempt.Operation)).ShouldBeEmpty();
        Check.Run(history).ShouldBeEmpty();
    }

    [Fact]
    public void There_are_at_least_thirty_planted_bugs_with_different_names()
    {
        PlantedBug.All.Count.ShouldBeGreaterThanOrEqualTo(30);
        PlantedBug.All.Select(bug => bug.Name).Distinct().Count().ShouldBe(PlantedBug.All.Count);
    }

    [Theory]
    [MemberData(nameof(Bugs))]
    public async Task A_planted_bug_is_found_by_its_check(string name)
    {
        var bug = PlantedBug.All.Single(bug => bug.Name == name);
        var broken = bug.Plant(await recorded.Value);
        Check.Run(broken).Select(violation => violation.Check).Distinct().ShouldContain(bug.Check);
    }

    [Theory]
    [MemberData(nameof(Checks))]
    public void Every_check_has_a_planted_bug(string check) =>
        PlantedBug.All.ShouldContain(bug => bug.Check == check);

    [Fact]
    public async Task Lists_at_rest_without_a_bug_and_documented_refusals_are_no_violation()
    {
        var history = RestListBugs.WithLists(await recorded.Value);
        OperatorReply[] replies =
        [
            new("rebuild", 202), new("rebuild", 409, "rebuild.running"), new("rollback", 409, "rebuild.no_previous"),
            new("audit", 503, "audit.running"), new("audit", 200, "log.unavailable"), new("heal", 200),
            new("heal", 503, "projector.unavailable"), new("rebuild", 200, Result: "failed: The log is unavailable."),
        ];
        Check.Run(new(history.Header with { Operated = replies }, history.Attempts, history.Log, history.Rest))
            .ShouldBeEmpty();
    }

    [Fact]
    public void A_synthetic_history_has_no_violation() => Check.Run(SyntheticHistory.Of(20_000)).ShouldBeEmpty();

    private static async Task<History> ReadAsync()
    {
        var folder = Directory.CreateTempSubdirectory("apexshop recorded ");
        await ZipFile.ExtractToDirectoryAsync(
            Path.Combine(AppContext.BaseDirectory, "Recorded.zip"), folder.FullName);
        var history = await HistoryFolder.ReadAsync(folder.FullName, CancellationToken.None);
        folder.Delete(recursive: true);
        return history;
    }
}
