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

    [Fact]
    public async Task Events_that_no_message_had_are_counted()
    {
        var history = SyntheticHistory.Of(Count);
        await CheckAsync(history.With(rest => rest with
            { Consumers = [.. rest.Consumers.Select(consumer => consumer with { Filled = 3 })] }));
        output.ToString().ShouldContain($"synthetic: 3 of {history.Log.Count} events from the log only");
    }

    [Fact]
    public async Task Judged_refusals_are_counted()
    {
        var history = SyntheticHistory.Of(Count);
        var change = LogBugs.Of(history, "products.replace");
        Attempt[] refused =
        [
            change with { Outcome = Outcome.Refused, Status = 404, Code = "product.not_found", Trace = "a" },
            change with { Outcome = Outcome.Refused, Status = 409, Code = "version.overtaken", Trace = "b" },
        ];
        await CheckAsync(history.With(attempts: history.Attempts.Concat(refused)));
        output.ToString().ShouldContain("refusals: 1 of 2");
        output.ToString().ShouldContain("commands.refusals: 1");
    }

    [Fact]
    public async Task A_history_of_another_release_is_not_checked()
    {
        var history = SyntheticHistory.Of(1);
        await HistoryFolder.WriteAsync(
            folder.FullName, history.Header with { Format = 0 }, history.Attempts, [], history.Rest);
        await Should.ThrowAsync<IOException>(() =>
            ProveCommand.RunAsync(["--check", folder.FullName], output, CancellationToken.None));
    }

    [Fact]
    public async Task A_run_that_fails_writes_its_history_so_far()
    {
        // A shop with an empty log that refuses every command.
        await using var shop = new StubShop(
            request => request.HttpMethod == "GET" ? (200, "") : (503, """{"code":"lock.timeout"}"""));
        var options = new ProveOptions(1, 1, 1, "none", folder.FullName);
        var run = new ProveRun(shop.Addresses, null, options, true, output.WriteLine);

        await Should.ThrowAsync<InvalidOperationException>(() => run.RunAsync(CancellationToken.None));

        (await ProveCommand.RunAsync(["--check", folder.FullName], output, CancellationToken.None)).ShouldBe(0);
        output.ToString().ShouldContain("The run has failed (The shop refuses the first commands");
        output.ToString().ShouldContain("1 requests of 1 kinds, 0 events");
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
