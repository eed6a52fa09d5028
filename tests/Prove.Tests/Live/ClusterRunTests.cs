using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.Prove.Tests.Live;

/// <summary>./apexshop prove --cluster, as a person runs it.</summary>
[Collection(LiveRuns.Name)]
public sealed class ClusterRunTests(ITestOutputHelper output)
{
    // Four minutes are usual. Most of it is waiting that has limits of its own, up to three minutes each.
    private static readonly TimeSpan limit = TimeSpan.FromMinutes(18);

    [Fact]
    public async Task A_cluster_keeps_its_guarantees_while_the_primary_hangs_and_a_machine_is_cut_off()
    {
        var state = Directory.CreateTempSubdirectory("apexshop-cluster-");
        var (exitCode, text) = await RunAsync(
            state, "prove", "--cluster", "--clients", "6", "--seconds", "80", "--faults", "freeze-primary,cut-machine");
        output.WriteLine(text);
        exitCode.ShouldBe(0, text);
        text.ShouldContain("0 violations");
        text.ShouldContain("fault freeze-primary");
        // Only root can give the machines networks of their own.
        if (Environment.IsPrivilegedProcess) text.ShouldContain("fault cut-machine");
        text.ShouldNotContain("was not possible");
        state.Delete(recursive: true);
    }

    private static async Task<(int ExitCode, string Text)> RunAsync(DirectoryInfo state, params string[] arguments)
    {
        var start = ProgramRun.StartOfScript([Path.Combine(Repository.Root, "apexshop"), .. arguments]);
        start.Environment["APEXSHOP_STATE"] = state.FullName;
        var run = await ProgramRun.OfAsync(start, limit);
        return (run.ExitCode, run.Text);
    }
}
