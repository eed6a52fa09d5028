using ApexShop.TestKit;

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

    [Theory]
    [InlineData("the_process", "0\n")]
    [InlineData("another", "1\nCommands.Api runs but was not ready within 1 s\n")]
    public async Task A_process_is_ready_when_its_port_is_its_own(string owner, string expected)
    {
        var run = await script.RunAsync($$"""
            port={{Loopback.FreePort()}} health=''
            listen="from http.server import HTTPServer, SimpleHTTPRequestHandler as Files"
            listen+="; HTTPServer(('127.0.0.1', $port), Files).serve_forever()"
            the_process=$listen another="import time; time.sleep(60)"
            cd "$STATE"
            mkdir -p health
            touch health/ready
            process_url() { echo "http://127.0.0.1:$port"; }
            process_port() { echo "$port"; }
            address_of() { echo 127.0.0.1; }
            has_networks() { return 1; }
            launch commands python3 -c "${{owner}}"
            if [[ {{owner}} == another ]]; then launch other python3 -c "$listen"; else cp -r commands other; fi
            until port_is_open "$port"; do sleep 0.1; done
            status=0
            (await commands Commands.Api 1 is_ready commands) 2>"$STATE/error" || status=$?
            kill "$(pid_of commands)" "$(pid_of other)"
            echo "$status"
            sed -n 's/^apexshop: //; s/; its log.*//p' "$STATE/error"
            """);

        run.Output.ShouldBe(expected, run.Text);
    }

    [Fact]
    public async Task PostgreSQL_does_not_inherit_settings_of_the_archive_from_the_operator()
    {
        var run = await script.RunAsync("""
            export PGBACKREST_REPO1_PATH=/elsewhere
            mkdir -p "$STATE/postgres/data" "$STATE/deploy/compose/postgres"
            touch "$STATE/postgres/version" "$STATE/deploy/compose/postgres/postgresql.conf"
            ROOT=$STATE PG_BIN=/none APEXSHOP_PG_PORT=1
            prepare_postgres_folder() { :; }
            write_as_postgres() { cat >/dev/null; }
            launch_as_postgres() { echo "$1 ${PGBACKREST_REPO1_PATH:-without it}"; }
            start_postgres
            echo "$PGBACKREST_REPO1_PATH"
            """);

        run.Output.ShouldBe("postgres without it\n/elsewhere\n", run.Text);
    }

    /// <summary>As logrotate empties it, with copytruncate.</summary>
    [Fact]
    public async Task A_log_that_was_emptied_begins_with_the_next_line()
    {
        var run = await script.RunAsync("""
            launch commands sh -c 'echo before; until [ -e "$0" ]; do sleep 0.1; done; echo after' "$STATE/emptied"
            until [[ -s $STATE/commands/log ]]; do sleep 0.1; done
            : >"$STATE/commands/log"
            touch "$STATE/emptied"
            while is_running commands; do sleep 0.1; done
            stat -c %s "$STATE/commands/log"
            cat "$STATE/commands/log"
            """);

        run.Output.ShouldBe("6\nafter\n", run.Text);
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
