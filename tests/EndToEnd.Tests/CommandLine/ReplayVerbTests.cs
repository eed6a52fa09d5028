using System.Text.Json.Nodes;
using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>`dlq replay` fails when something stays parked or refused, and a dry run of it does not.</summary>
public sealed class ReplayVerbTests : IDisposable
{
    private readonly ScriptFolder script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData("products/17", 0, "", 0)]
    [InlineData("products/17", 1, "", 1)]
    [InlineData("3", 0, "applied", 0)]
    [InlineData("3", 0, "refused", 1)]
    [InlineData("all", 0, "applied", 0)]
    [InlineData("all", 0, "refused", 1)]
    [InlineData("all", 1, "applied", 1)]
    public async Task It_succeeds_when_all_was_applied(string what, int left, string outcome, int code)
    {
        foreach (var option in (string[])["", "--json"])
        {
            var run = await ReplayAsync($"{what} {option}", left, outcome);

            run.ExitCode.ShouldBe(code, run.Text);
            (run.Error.Length > 0).ShouldBe(code == 1, run.Error);
            if (option.Length > 0) JsonNode.Parse(run.Output).ShouldNotBeNull();
        }
    }

    [Theory]
    [InlineData("products/17", "dlq heal products/17")]
    [InlineData("3", "Dead letter 3 was refused: No event.")]
    [InlineData("all", "refused")]
    public async Task A_dry_run_only_shows_what_would_stay(string what, string shown)
    {
        var run = await ReplayAsync($"{what} --dry-run", 1, "refused");

        run.ExitCode.ShouldBe(0, run.Text);
        run.Output.ShouldContain(shown);
    }

    // What the shop responds for the aggregate products/17, the dead letter 3, and both.
    private Task<ProgramRun> ReplayAsync(string arguments, int left, string outcome) => script.RunAsync($$"""
        unset "${!APEXSHOP_@}"
        need_running() { :; }
        aggregate='{"resource":"products","id":17,"applied":1,"left":{{left}},"versionBefore":1,"versionAfter":2'
        aggregate+=',"reason":null,"events":[]}'
        letter='{"id":3,"outcome":"{{outcome}}","resource":"products","events":1,"repeated":0,"reason":"No event."}'
        dlq_json() {
          case $2 in
            parked/replay*) echo "{\"items\":[$aggregate],\"next\":null}" ;;
            dead-letters/replay*) echo "{\"items\":[$letter],\"next\":null}" ;;
            parked/*) echo "$aggregate" ;;
            *) echo "$letter" ;;
          esac
        }
        run_verb dlq replay {{arguments}}
        """);
}
