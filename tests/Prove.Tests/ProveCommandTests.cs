using ApexShop.Prove.Histories;
using ApexShop.Prove.Synthetic;
using ApexShop.Prove.Tests.Planted;

namespace ApexShop.Prove.Tests;

/// <summary>What <c>./apexshop prove</c> prints of a history, and its exit code.</summary>
public sealed class ProveCommandTests : IDisposable
{
    private const int Count = 5_000;

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("apexshop-prove-");
    private readonly StringWriter output = new();

    public void Dispose()
    {
        folder.Delete(recursive: true);
        output.Dispose();
    }

    [Fact]
    public async Task Without_a_violation_it_succeeds()
    {
        (await CheckAsync(SyntheticHistory.Of(Count))).ShouldBe(0);
        output.ToString().ShouldContain(": 0 violations");
    }

    [Fact]
    public async Task A_violation_is_printed_with_its_check_and_is_a_failure()
    {
        var history = SyntheticHistory.Of(Count);
        var change = LogBugs.Of(history, "products.replace");

        (await CheckAsync(history.Without(history.OwnEventsOf(change).First()))).ShouldBe(1);

        var text = output.ToString();
        text.ShouldContain("commands.acknowledged: 1");
        text.ShouldContain($"  {change}: 0 events instead of 1");
    }

    [Theory]
    [InlineData("--seconds", "-1")]
    [InlineData("--seed", "none")]
    [InlineData("--faults", "earthquake")]
    public async Task Wrong_arguments_are_refused_with_the_usage(params string[] arguments)
    {
        (await ProveCommand.RunAsync(arguments, output, CancellationToken.None)).ShouldBe(2);
        output.ToString().ShouldContain(ProveOptions.Usage);
    }

    private async Task<int> CheckAsync(History history)
    {
        await HistoryFolder.WriteAsync(
            folder.FullName, history.Header, history.Attempts, history.Log.Select(EventLine.Of), history.Rest);
        return await ProveCommand.RunAsync(["--check", folder.FullName], output, CancellationToken.None);
    }
}
