namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>The private Docker engine of ./apexshop test: its failures are those of one suite.</summary>
public sealed class EngineTests : IDisposable
{
    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData("need_engine() { :; }", "The suite runs.\n0 failed, 0 skipped\n")]
    [InlineData("can_run_engine() { return 1; }", "0 failed, 1 skipped\n")]
    [InlineData(
        "need_engine() { :; }; APEXSHOP_TEST_MINUTES=60 SECONDS=2300", "The suite runs.\n0 failed, 0 skipped\n")]
    [InlineData("need_engine() { :; }; APEXSHOP_TEST_MINUTES=60 SECONDS=2500", "0 failed, 1 skipped\n")]
    [InlineData("need_engine() { fail 'It is not ready.'; }", "1 failed, 0 skipped\n")]
    [InlineData(
        "need_engine() { :; }; is_running() { :; }; stop_engine() { false; true; }",
        "The suite runs.\n1 failed, 0 skipped\n")]
    public async Task An_engine_that_does_not_start_or_end_is_one_failure(string statements, string expected)
    {
        var run = await script.CallAsync($$"""
            FAILED=0 SKIPPED=0 TEST_HOME=$STATE
            mkdir -p "$STATE/docker"
            echo unix:///tmp/apexshop-engine.none/docker.sock >"$STATE/docker/host"
            run_suite() { echo 'The suite runs.'; }
            {{statements}}
            run_container_suite Containers.Tests '' >"$ROOT/output"
            grep -v Containers.Tests "$ROOT/output" || true
            echo "$FAILED failed, $SKIPPED skipped"
            """);

        run.Output.ShouldBe(expected, run.Error);
    }
}
