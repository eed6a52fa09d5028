using System.Diagnostics;
using System.Text.RegularExpressions;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>start, stop and restart change one process; the others stay as they are.</summary>
public sealed partial class ProcessVerbTests : IDisposable
{
    private readonly FakeShop shop = new();

    public void Dispose() => shop.Dispose();

    [Fact]
    public async Task One_process_is_started_stopped_and_restarted()
    {
        (await shop.SucceedsAsync("stop", "commands")).ShouldBe("Commands.Api is not running.\n");
        (await shop.SucceedsAsync("start", "commands")).ShouldBe("Commands.Api was started.\n");
        (await shop.SucceedsAsync("start", "queries")).ShouldBe("Queries.Api was started.\n");
        var (commands, queries) = (shop.Pid("commands"), shop.Pid("queries"));
        commands.ShouldNotBeNull();
        queries.ShouldNotBeNull();
        (await shop.SucceedsAsync("start", "commands")).ShouldBe("Commands.Api is already running.\n");
        shop.Pid("commands").ShouldBe(commands);

        (await shop.SucceedsAsync("restart", "commands")).ShouldBe("Commands.Api was restarted.\n");
        shop.Pid("commands").ShouldNotBeNull();
        shop.Pid("commands").ShouldNotBe(commands);
        FakeShop.Runs(commands.Value).ShouldBeFalse("the process from before has ended");

        (await shop.SucceedsAsync("stop", "commands")).ShouldStartWith("Commands.Api was stopped;");
        shop.Pid("commands").ShouldBeNull();
        shop.Pid("queries").ShouldBe(queries);
        (await shop.SucceedsAsync("restart", "commands")).ShouldBe("Commands.Api was restarted.\n");
        shop.Pid("commands").ShouldNotBeNull();
    }

    [Fact]
    public async Task A_process_of_a_relative_state_folder_is_found_from_another_folder()
    {
        var called = await shop.Script.CallAsync("""
            cd "$ROOT"
            APEXSHOP_STATE=.local bash ./apexshop start commands
            cd eng
            APEXSHOP_STATE=../.local bash ../apexshop stop commands
            """);
        called.ExitCode.ShouldBe(0, called.Error);
        called.Output.ShouldStartWith("Commands.Api was started.\nCommands.Api was stopped;");
    }

    /// <summary>docs/operations.md has the parts of the sum.</summary>
    [Fact]
    public async Task The_pools_of_the_most_processes_fit_into_PostgreSQL()
    {
        var called = await shop.Script.CallAsync("""
            load_settings
            set_scale commands=9,projector=9,queries=9
            size() { sed 's/.*Maximum Pool Size=//' <<<"$1"; }
            connections_of() {
              export_configuration "$1"
              case $(role_of "$1") in
                commands) echo $(($(size "$ConnectionStrings__Shop") + 8 + 5)) ;;
                projector) echo $(($(size "$ConnectionStrings__Read") + 7)) ;;
                queries)
                  echo $((${Reading__Connections:-32} + 5 + 5 * ${Reading__WalkConnections:-4} +
                    5 * ${Reading__SearchConnections:-4} + 2 * ${Streaming__Connections:-8} +
                    2 * 5 * ${Streaming__SearchConnections:-2} + 3))
                  ;;
              esac
            }
            sum=0
            for name in $PROCESSES; do
              connections=$(connections_of "$name")
              sum=$((sum + connections))
            done
            echo "$sum"
            """);

        var settings = File.ReadAllText(Path.Combine(Repository.Root, "deploy/compose/postgres/postgresql.conf"));
        var most = int.Parse(MaxConnections().Match(settings).Groups[1].Value);
        // Of the others three are for superusers, and some for operators and the tools of the archive.
        int.Parse(called.Output).ShouldBeInRange(1, most - 20, called.Error);
    }

    [Fact]
    public async Task The_containers_of_a_state_folder_are_the_same_however_its_path_is_written()
    {
        var called = await shop.Script.CallAsync("""
            ln -s .local "$ROOT/link"
            for STATE in "$ROOT/.local" "$ROOT/.local/" "$ROOT//eng/../.local" "$ROOT/link" "$ROOT/eng"; do
              compose_project
            done
            """);
        var projects = called.Output.Trim().Split('\n');
        projects.Length.ShouldBe(5, called.Error);
        projects[..4].Distinct().ShouldBe([projects[0]]);
        projects[4].ShouldNotBe(projects[0]);
    }

    [Fact]
    public async Task A_process_that_ends_while_it_starts_is_an_error_with_the_end_of_its_log()
    {
        shop.Script.WriteProgram("dotnet", "[[ $* != *.dll ]] || { echo 'a setting is wrong' && exit 1; }");
        shop.Script.WriteProgram("curl", "exit 7");
        shop.Script.WriteProgram("tail", "exec /usr/bin/tail \"$@\"");
        var failed = await shop.Script.RunAsync("start", "projector");
        failed.ExitCode.ShouldBe(1);
        failed.Error.ShouldContain("  | a setting is wrong");
        failed.Error.ShouldContain("Projector stopped while starting");
    }

    [Fact]
    public async Task A_process_that_got_the_pid_of_an_ended_one_is_not_stopped()
    {
        using var other = Process.Start("sleep", "60");
        shop.Script.Write(".local/commands/pid", $"{other.Id} 1\n");
        (await shop.SucceedsAsync("stop", "commands")).ShouldBe("Commands.Api is not running.\n");
        other.HasExited.ShouldBeFalse();
        other.Kill();
    }

    [Fact]
    public async Task A_process_that_ignores_the_request_to_end_is_killed_at_the_limit()
    {
        var killed = await shop.Script.CallAsync("""
            load_settings
            launch commands bash -c 'trap "" TERM; touch "$0/ignores"; while :; do sleep 0.05; done' "$ROOT"
            until [[ -f $ROOT/ignores ]]; do sleep 0.05; done
            signal commands TERM
            await_end commands Commands.Api 1
            """);
        killed.Output.ShouldBe("Commands.Api did not end within 1 s and was killed.\n", killed.Error);
        shop.Pid("commands").ShouldBeNull();
    }

    [Theory]
    [InlineData("postgres", "INT")]
    [InlineData("redis", "TERM")]
    [InlineData("rabbitmq", "TERM")]
    public async Task A_server_gets_the_signal_of_its_clean_shutdown(string name, string signal)
    {
        await shop.Script.CallAsync($$"""
            load_settings
            process='for name in INT TERM; do trap "echo $name >\"\$0/signal\"; exit" $name; done; touch "$0/started"'
            launch {{name}} env --default-signal=INT bash -c "$process; while :; do sleep 0.05; done" "$ROOT"
            until [[ -f $ROOT/started ]]; do sleep 0.05; done
            """);
        shop.Pid(name).ShouldNotBeNull();
        (await shop.SucceedsAsync("stop", name)).ShouldContain($" was stopped; ./apexshop start {name} starts it");
        shop.Pid(name).ShouldBeNull();
        shop.Script.Read("signal").ShouldBe($"{signal}\n");
    }

    [Fact]
    public async Task Another_name_is_refused()
    {
        foreach (var verb in (string[])["start", "stop", "restart"])
        {
            var refused = await shop.Script.RunAsync(verb, "commands-2");
            refused.ExitCode.ShouldBe(2);
            refused.Error.ShouldContain("There is no 'commands-2' here; names: commands projector queries postgres");
        }
    }

    [GeneratedRegex("^max_connections = ([0-9]+)$", RegexOptions.Multiline)]
    private static partial Regex MaxConnections();
}
