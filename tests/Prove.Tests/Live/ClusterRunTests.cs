using System.Diagnostics;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.Prove.Tests.Live;

/// <summary>./apexshop prove --cluster, as a person runs it.</summary>
[Collection(LiveRuns.Name)]
public sealed class ClusterRunTests(ITestOutputHelper output)
{
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
        var start = new ProcessStartInfo("bash", [Path.Combine(Repository.Root, "apexshop"), .. arguments])
        {
            RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true,
        };
        // The ports of the test run are in use.
        foreach (var name in start.Environment.Keys.Where(name => name.StartsWith("APEXSHOP_")).ToList())
            start.Environment.Remove(name);
        start.Environment["APEXSHOP_STATE"] = state.FullName;
        using var script = Process.Start(start)!;
        script.StandardInput.Close();
        var (written, errors) = (script.StandardOutput.ReadToEndAsync(), script.StandardError.ReadToEndAsync());
        await script.WaitForExitAsync();
        return (script.ExitCode, await written + await errors);
    }
}
