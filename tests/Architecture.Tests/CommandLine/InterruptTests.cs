using System.Diagnostics;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>Ctrl-C prints what still runs, and leaves a state from which the next command continues.</summary>
public sealed class InterruptTests : IDisposable
{
    // A shop without its programs: every process is this one, which ends when it is asked to and `may_end` is there.
    private const string Shop = """
        mkdir -p "$STATE/log"
        load_settings
        ENGINE=native
        load_settings() { :; }
        process='trap "while [[ -d \$0 && ! -e \$0/may_end ]]; do sleep 0.05; done; exit" TERM INT
            touch "$0/ready"; while [[ -d $0 ]]; do sleep 0.05; done'
        step() { shift 2 && "$@"; }

        """;

    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Fact]
    public async Task An_interrupted_up_names_what_runs_and_every_process_has_its_pid_file()
    {
        var result = await script.CallAsync(Shop + """
            need_dotnet() { :; }
            for name in choose_engine need_tools check_server_ports check_process_ports; do eval "$name() { :; }"; done
            launch_servers() { launch redis sleep 60; touch "$ROOT/waits"; sleep 60; }
            run_verb up --no-seed
            """, script.InterruptAsync);
        result.ExitCode.ShouldBe(130);
        result.Error.ShouldContain("Still running: redis\n");
        result.Error.ShouldContain("./apexshop up goes on");
        var pid = File.ReadAllText(script.At(".local/redis/pid")).Split(' ')[0];
        using var redis = Process.GetProcessById(int.Parse(pid));
        redis.HasExited.ShouldBeFalse("the server was started in a session of its own");
        redis.Kill();
    }

    [Fact]
    public async Task An_interrupted_down_names_what_runs_and_the_next_up_waits_for_what_is_stopping()
    {
        var result = await script.CallAsync(Shop + """
            launch commands bash -c "$process" "$ROOT"
            until [[ -e $ROOT/ready ]]; do sleep 0.05; done
            await_end() { touch "$ROOT/waits"; sleep 60; }
            run_verb down
            """, script.InterruptAsync);
        result.ExitCode.ShouldBe(130, result.Error);
        result.Error.ShouldContain("Still running: commands\n");

        // What `up` calls before it looks which processes run.
        var next = await script.CallAsync(Shop + """
            is_running commands && echo still
            # Its first call shows that it waits.
            sleep() { touch "$ROOT/may_end"; command sleep "$@"; }
            await_stopping $PROCESSES $SERVERS
            is_running commands || echo ended
            """);
        next.Output.ShouldBe("still\nWaiting until Commands.Api has stopped.\nended\n");
    }

    [Theory]
    [InlineData("seed 2", "./apexshop seed 2 adds the others")]
    [InlineData("rebuild", "./apexshop rebuild status shows it")]
    public async Task An_interrupted_seed_or_rebuild_prints_what_goes_on(string verb, string printed)
    {
        var result = await script.CallAsync(Shop + $$"""
            need_running() { :; }
            is_running() { [[ $1 == commands ]]; }
            find_postgres() { :; }
            log_head() { echo 1; }
            curl() { touch "$ROOT/waits"; sleep 60; }
            run_verb {{verb}}
            """, script.InterruptAsync);
        result.ExitCode.ShouldBe(130, result.Error);
        result.Error.ShouldContain("Still running: commands\n");
        result.Error.ShouldContain(printed);
    }

    [Fact]
    public async Task The_programs_that_a_killed_command_has_left_are_named()
    {
        var result = await script.CallAsync("""
            sources='set -euo pipefail; ROOT=$0; for part in "$ROOT"/eng/cli/*.sh; do source "$part"; done'
            bash -c "$sources; open_state; sleep 60 >/dev/null 2>&1; :" "$ROOT" &
            killed=$!
            until program=$(pgrep -xP "$killed" sleep); do sleep 0.05; done
            (open_state) || echo "refused"
            kill -9 "$killed"
            wait "$killed" || true
            (open_state) || echo "refused again"
            kill "$program"
            (open_state && echo opened)
            """);

        result.Error.ShouldMatch("Another ./apexshop uses(.|\n)*has left programs that use(.|\n)*kill [0-9]+\n");
        result.Output.ShouldBe("refused\nrefused again\nopened\n", result.Error);
    }

    [Fact]
    public async Task A_command_with_a_time_limit_is_interrupted_and_ends_at_the_limit()
    {
        var interrupted = await script.CallAsync(Shop + """
            on_interrupt "./apexshop up goes on from here."
            within 20 bash -c 'touch "$0/waits"; sleep 10; touch "$0/ended"' "$ROOT"
            """, script.InterruptAsync);
        interrupted.ExitCode.ShouldBe(130, interrupted.Error);
        File.Exists(script.At("ended")).ShouldBeFalse("Ctrl-C ended the command");

        var limited = await script.CallAsync("""within 0.5 sleep 20 || echo "$?" """);
        limited.Output.ShouldBe("124\n", limited.Error);
    }
}
