using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>What the start of PostgreSQL does with the files that are in its data folder already.</summary>
public sealed class PostgresFolderTests : IDisposable
{
    // initdb, which refuses a folder that is not empty, and a server that does nothing.
    private const string Start = """
        load_settings
        ENGINE=native PG_BIN=/none PG_VERSION=16
        prepare_postgres_folder() { mkdir -p "$STATE/postgres/data"; }
        chown() { :; }
        launch_as_postgres() { :; }
        as_postgres() {
          case $1 in
            tee | mv) "$@" ;;
            *) [[ -z $(ls -A "$STATE/postgres/data") ]] && echo 16 >"$STATE/postgres/data/PG_VERSION" ;;
          esac
        }
        start_postgres
        cat "$STATE/postgres/version"
        """;

    private readonly ScriptCopy script = new();

    public PostgresFolderTests()
    {
        script.Write("deploy/compose/postgres/postgresql.conf", "");
        script.Write(".local/postgres/data/base/1/2619", "rows");
    }

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData("before PG_VERSION was written")]
    [InlineData("after PG_VERSION was written")]
    public async Task What_an_interrupted_creation_has_left_is_removed(string when)
    {
        if (when.StartsWith("after", StringComparison.Ordinal))
        {
            // It ends before the file of the version has its name.
            var interrupted = await script.CallAsync("mv() { exit 1; }\n" + Start);
            interrupted.ExitCode.ShouldBe(1);
            File.Exists(script.At(".local/postgres/data/PG_VERSION")).ShouldBeTrue();
        }

        var started = await script.CallAsync(Start);
        started.ExitCode.ShouldBe(0, started.Output + started.Error);
        started.Output.ShouldEndWith("\n16\n");
        File.Exists(script.At(".local/postgres/data/base/1/2619")).ShouldBeFalse();
        File.Exists(script.At(".local/postgres/version.new")).ShouldBeFalse("the creation is complete");
    }

    [Fact]
    public async Task A_creation_that_a_killed_command_has_left_is_awaited_and_its_data_stays()
    {
        script.Write(".local/postgres/version.new", "16\n");

        var started = await script.CallAsync("""
            exec 7>>"$STATE/postgres/lock"
            flock 7
            (sleep 1; echo 16 >"$STATE/postgres/version") >/dev/null &
            exec 7>&-

            """ + Start);

        started.ExitCode.ShouldBe(0, started.Output + started.Error);
        script.Read(".local/postgres/data/base/1/2619").ShouldBe("rows");
    }

    [Fact]
    public async Task The_files_of_a_folder_to_which_the_data_is_a_link_are_not_deleted()
    {
        Directory.Delete(script.At(".local/postgres/data"), recursive: true);
        script.Write("disk/photo", "kept");
        script.Link(".local/postgres/data", "../../disk");

        var refused = await script.CallAsync(Start);
        refused.ExitCode.ShouldBe(1, refused.Output);
        refused.Error.ShouldContain("a new PostgreSQL needs an empty folder.");

        var cleaned = await script.RunAsync("clean", "--yes");
        cleaned.ExitCode.ShouldBe(0, cleaned.Error);
        cleaned.Output.ShouldContain($"{script.At("disk")} stays: ");
        script.Read("disk/photo").ShouldBe("kept");
        Directory.Exists(script.At(".local")).ShouldBeFalse();
    }

    [Theory]
    [InlineData("BACKUPS_KEY=of the backups", "POSTGRES_PASSWORD, and PostgreSQL's data has one.")]
    [InlineData("POSTGRES_PASSWORD=of the data", "BACKUPS_KEY, with which the backups of this shop are read.")]
    public async Task A_lost_secret_of_the_data_or_the_backups_is_not_replaced_by_a_new_value(
        string left, string missing)
    {
        script.Write(".local/secrets", $"{left}\n");
        script.Write(".local/archive", "ARCHIVING=on\nREPOSITORY=/mnt/backups\nBACKUPS_KEPT=3\nLAST_BACKUP=1\n");
        script.Write(".local/postgres/version", "16\n");

        var refused = await script.CallAsync("load_settings\nmake_secrets");

        refused.ExitCode.ShouldBe(1);
        refused.Error.ShouldContain($"has no {missing}");
        script.Read(".local/secrets").ShouldBe($"{left}\n");
    }

    [Fact]
    public async Task A_link_in_place_of_the_settings_is_replaced_and_not_followed()
    {
        script.Write("deploy/compose/postgres/postgresql.conf", "port = 1\n");
        script.Write(".local/postgres/version", "16\n");
        script.Write("of-root", "kept");
        File.CreateSymbolicLink(script.At(".local/postgres/data/postgresql.conf"), script.At("of-root"));

        var started = await script.CallAsync(Start);
        started.ExitCode.ShouldBe(0, started.Output + started.Error);
        script.Read("of-root").ShouldBe("kept");
        script.Read(".local/postgres/data/postgresql.conf").ShouldBe("port = 1\n");
    }

    [Fact]
    public async Task Data_that_was_moved_is_archived_from_its_new_place()
    {
        script.Write("deploy/compose/postgres/postgresql.conf", "");
        script.Write(".local/secrets", "BACKUPS_KEY=of the backups\n");
        script.Write(".local/archive", "ARCHIVING=on\nREPOSITORY=/mnt/backups\nBACKUPS_KEPT=3\nLAST_BACKUP=1\n");
        script.Write("disk/data/PG_VERSION", "16\n");
        script.Write(".local/postgres/version", "16\n");
        Directory.Delete(script.At(".local/postgres/data"), recursive: true);
        script.Link(".local/postgres/data", "../../disk/data");

        var started = await script.CallAsync($"{Start}\necho \"${{REPOSITORY:-kept}}\"");

        started.ExitCode.ShouldBe(0, started.Output + started.Error);
        started.Output.ShouldEndWith("\nkept\n");
        var settings = script.Read("disk/data.pgbackrest/pgbackrest.conf").Split('\n');
        settings.ShouldContain($"pg1-path={script.At("disk/data")}");
        settings.ShouldContain("repo1-path=/mnt/backups");
        settings.ShouldContain("repo1-cipher-pass=of the backups");
        settings.ShouldContain("repo1-retention-full=3");
        script.Read("disk/data/postgresql.conf").ShouldContain(script.At("disk/data.pgbackrest/pgbackrest.conf"));
    }

    [Theory]
    [InlineData("rebuild status")]
    [InlineData("seed")]
    [InlineData("erase --yes 17")]
    public async Task Without_the_programs_of_PostgreSQL_a_verb_says_what_to_do(string verb)
    {
        script.Write(".local/engine", "SERVERS=native\n");

        var refused = await script.CallAsync(
            $"need_running() {{ :; }}\nfind_postgres() {{ return 1; }}\nrun_verb {verb}");

        refused.ExitCode.ShouldBe(1, refused.Output);
        refused.Error.ShouldBe("\napexshop: The programs of PostgreSQL are missing.\n  ./apexshop up\n");
    }

    [Theory]
    [InlineData("need_tools")]
    [InlineData("need_postgres")]
    [InlineData("need_psql")]
    public async Task A_version_that_is_no_longer_installed_is_named(string statement)
    {
        script.Write(".local/engine", "SERVERS=native\n");
        script.Write(".local/postgres/version", "99\n");

        var refused = await script.CallAsync(
            $"load_settings\ninstall_packages() {{ echo \"installs $1\"; }}\n{statement}");

        refused.ExitCode.ShouldBe(1, refused.Output);
        refused.Error.ShouldContain("This shop's data is of PostgreSQL 99");
        refused.Output.Contains("postgresql-99", StringComparison.Ordinal).ShouldBe(statement == "need_tools");
    }

    [Fact]
    public async Task A_process_of_a_killed_server_is_found_by_its_folder_also_with_a_space_in_the_path()
    {
        var found = await script.CallAsync("""
            data="$STATE/a b"
            mkdir -p "$data"
            echo 4194304 >"$data/postmaster.pid"
            (cd "$data" && exec sleep 60) &
            child=$!
            for attempt in {1..100}; do [[ /proc/$child/cwd -ef $data ]] && break || sleep 0.05; done
            if postgres_remains "$data"; then echo remains; fi
            kill "$child"
            wait "$child" || true
            if ! postgres_remains "$data"; then echo ended; fi
            """);

        found.Output.ShouldEndWith("remains\nended\n", customMessage: found.Error);
    }

    [Theory]
    [InlineData("$STATE", "4194304\nof the killed server\n")]
    [InlineData("$STATE/postgres/data", "$other\nof the killed server\n")]
    public async Task Only_the_pid_of_another_program_is_replaced(string worksIn, string left)
    {
        var started = await script.CallAsync($$"""
            as_postgres() { "$@"; }
            data=$STATE/postgres/data
            cd "{{worksIn}}"
            sleep 60 >/dev/null 2>&1 &
            other=$!
            printf '%s\nof the killed server\n' "$other" >"$data/postmaster.pid"
            replace_reused_pid "$data"
            kill "$other"
            sed "s/^$other$/\$other/" "$data/postmaster.pid"
            """);

        started.Output.ShouldBe(left, started.Error);
    }

    /// <summary>A call of `sleep` stands for 20 seconds; the numbers are the answers of pg_isready.</summary>
    [Theory]
    [InlineData("2 1 1 1 1 1 1 0", "for 20 s: redo in progress, elapsed time: 10.00 s\n", "")]
    [InlineData("1", "for 3580 s: redo in progress", "not recovered its data within 3600 s.")]
    [InlineData("1 1 1 2", "for 20 s: redo in progress", "PostgreSQL stopped while starting")]
    public async Task A_recovery_is_awaited_while_the_server_runs(string answers, string progress, string failure)
    {
        script.WriteProgram("tail", "exec /usr/bin/tail \"$@\"");
        script.Write(".local/postgres/log", "1 LOG:  redo in progress, elapsed time: 10.00 s\n");

        var awaited = await script.CallAsync($$"""
            load_settings
            now=0 answers=({{answers}}) turn=0
            now_ms() { echo "$now"; }
            sleep() { now=$((now + 20000)) turn=$((turn + 1)); }
            connection_state() { echo "${answers[turn < ${#answers[@]} ? turn : -1]}"; }
            is_running() { ((turn < 3)) || [[ "{{answers}}" != *2 ]]; }
            postgres_responds() { (($(connection_state) == 0)); }
            await_server postgres
            echo ready
            """);

        awaited.Output.ShouldContain(progress, Case.Sensitive, awaited.Error);
        awaited.Output.EndsWith("ready\n", StringComparison.Ordinal).ShouldBe(failure.Length == 0);
        awaited.Error.ShouldContain(failure);
    }

    [Fact]
    public async Task Complete_data_without_the_file_of_its_version_stays()
    {
        script.Write(".local/postgres/data/PG_VERSION", "15\n");
        var refused = await script.CallAsync(Start);
        refused.ExitCode.ShouldBe(1, refused.Output);
        refused.Error.ShouldContain("postgres/version is missing");
        script.Read(".local/postgres/data/base/1/2619").ShouldBe("rows");

        // What the message names.
        File.Copy(script.At(".local/postgres/data/PG_VERSION"), script.At(".local/postgres/version"));
        (await script.CallAsync(Start)).Output.ShouldBe("15\n");
        script.Read(".local/postgres/data/base/1/2619").ShouldBe("rows");
    }
}
