namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>How ./apexshop starts processes, and finds them again.</summary>
public sealed class ProcessTests : IDisposable
{
    private readonly ScriptFolder script = new();

    public void Dispose() => script.Dispose();

    [Fact]
    public async Task A_process_is_ended_when_its_pid_file_cannot_be_written()
    {
        var run = await script.RunAsync("""
            mkdir -p "$STATE/commands/pid"
            launch commands sh -c 'echo $$; exec sleep 60' || true
            pid=$(cat "$STATE/commands/log" 2>/dev/null || true)
            for ((turn = 0; turn < 50; turn++)); do
              [[ -n $pid && -n $(identity "$pid") ]] || exit 0
              sleep 0.1
            done
            exit 2
            """);

        run.ExitCode.ShouldBe(0, run.Text);
        run.Error.ShouldContain("Commands.Api was not started");
        run.Error.ShouldContain("disk full");
    }

    [Fact]
    public async Task A_process_that_ended_is_not_ready_though_another_program_responds_at_its_port()
    {
        var run = await script.RunAsync("""
            launch commands sh -c 'echo address in use'
            while is_running commands; do :; done
            await commands Commands.Api 5 true
            """);

        run.ExitCode.ShouldBe(1);
        run.Text.ShouldContain("address in use");
        run.Error.ShouldContain("Commands.Api stopped while starting");
    }

    [Fact]
    public async Task A_process_that_lost_its_pid_file_is_known_by_its_log()
    {
        var run = await script.RunAsync("""
            launch commands sleep 60
            pid=$(pid_of commands)
            rm "$STATE/commands/pid"
            is_of_state "$pid" && ! is_of_state $$ && kill "$pid"
            """);

        run.ExitCode.ShouldBe(0, run.Text);
    }

    [Theory]
    [InlineData("it's")]
    [InlineData("a$b")]
    [InlineData("a`b")]
    [InlineData("a\"b")]
    [InlineData("a\\b")]
    public async Task A_state_folder_that_a_server_cannot_use_is_refused(string name)
    {
        var run = await script.RunAsync($"""
            read -r name <<'NAME'
            {name}
            NAME
            ENGINE=native STATE+=/$name
            choose_engine
            """);

        run.ExitCode.ShouldBe(1);
        run.Error.ShouldContain("may have none of ' \" $ ` \\:");
        run.Error.ShouldContain(name);
    }

    [Fact]
    public async Task Only_the_owner_may_read_a_log()
    {
        var run = await script.RunAsync("""
            umask 022
            mkdir "$STATE/commands"
            touch "$STATE/commands/log"
            launch commands sh -c 'umask; exec sleep 60'
            until [[ -s $STATE/commands/log ]]; do sleep 0.05; done
            kill "$(pid_of commands)"
            stat -c %a "$STATE/commands/log"
            cat "$STATE/commands/log"
            """);

        run.Output.ShouldBe("600\n0022\n", run.Text);
    }
}
