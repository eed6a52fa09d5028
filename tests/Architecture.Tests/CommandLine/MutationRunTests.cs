using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>Which failures of a test run show that the tests have noticed a mutation.</summary>
public sealed class MutationRunTests : IDisposable
{
    private const string Failed =
        "<UnitTestResult testName=\"ApexShop.Tests.Outbox.SequencerTests.Skips_none(id: 1)\" outcome=\"Failed\" />";

    private const string Hanging =
        "The specified inactivity time of 3 minutes has elapsed. Collecting hang dumps from testhost";

    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData(Failed, "", "SequencerTests.Skips_none")]
    [InlineData("", Hanging, "(time limit)")]
    public async Task A_failed_test_and_a_time_limit_do(string result, string log, string killer) =>
        (await EvaluateAsync(result, log)).Output.ShouldBe(killer);

    [Fact]
    public async Task A_run_that_ended_without_a_failed_test_does_not()
    {
        var run = await EvaluateAsync("", "The active test run was aborted. Reason: Test host process crashed");
        run.ExitCode.ShouldBe(1);
        run.Error.ShouldContain("none of them failed");
    }

    [Fact]
    public async Task A_failure_without_a_server_does_not()
    {
        var run = await EvaluateAsync(Failed, "", "redis");
        run.ExitCode.ShouldBe(1);
        run.Error.ShouldContain("Redis ended");
    }

    private Task<ProgramRun> EvaluateAsync(string result, string log, string ended = "none") => script.CallAsync($$"""
        TEST_HOME=$ROOT
        server_is_up() { [[ $1 != {{ended}} ]]; }
        show_tail() { cat "$1" >&2; }
        echo '{{log}}' >"$ROOT/log"
        [[ -z '{{result}}' ]] || echo '{{result}}' >"$ROOT/trx"
        find_killer "$ROOT/trx" "$ROOT/log"
        printf '%s' "$KILLER"
        """);
}
