namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>`clean` deletes everything in the state folder, so one that no shop has made is refused.</summary>
public sealed class StateFolderTests : IDisposable
{
    private readonly ScriptFolder script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData("open_state")]
    [InlineData("run_verb clean --yes")]
    [InlineData("run_verb down")]
    [InlineData("start_private_servers '' ''")]
    [InlineData("verb_report")]
    public async Task A_folder_with_other_files_is_refused_and_stays_as_it_is(string statements)
    {
        var run = await script.RunAsync($"""
            echo mine >"$STATE/thesis"
            mkdir "$STATE/log" "$STATE/report"
            chmod 755 "$STATE"
            need_dotnet() (:)
            ({statements}) || echo "refused $?"
            stat -c %a "$STATE"
            ls -A "$STATE"
            """);

        run.Output.ShouldBe("refused 1\n755\nlog\nreport\nthesis\n", run.Text);
        run.Error.ShouldContain("has files that do not belong to a shop");
        run.Error.ShouldContain("APEXSHOP_STATE");
    }

    [Fact]
    public async Task A_folder_of_another_user_is_refused()
    {
        var run = await script.RunAsync("""
            if ((EUID == 0)); then chown 65534 "$STATE"; else STATE=/etc; fi
            open_state
            """);

        run.ExitCode.ShouldBe(1, run.Text);
        run.Error.ShouldContain("belongs to another user");
    }

    [Fact]
    public async Task A_last_secret_without_an_end_of_line_stays_a_line()
    {
        var run = await script.RunAsync("""
            printf 'COMMANDS_PASSWORD=kept' >"$STATE/secrets"
            new_secret ADMIN_KEY
            new_secret ADMIN_KEY
            cut -c 1-22 "$STATE/secrets"
            """);

        run.Output.ShouldMatch("^COMMANDS_PASSWORD=kept\nADMIN_KEY=[0-9a-f]{12}\n$", run.Text);
    }

    [Fact]
    public async Task A_setting_is_on_the_disk_before_it_replaces_the_one_of_before()
    {
        var run = await script.RunAsync("""
            save_setting scale before
            sync() { cat "$STATE/scale" "$1"; }
            save_setting scale after
            cat "$STATE/scale"
            """);

        run.Output.ShouldBe("before\nafter\nafter\n", run.Text);
    }

    [Fact]
    public async Task Only_the_owner_may_read_the_logs_of_its_commands()
    {
        var run = await script.RunAsync("""
            umask 022
            open_state
            stat -c %a "$STATE/log"
            """);

        run.Output.ShouldBe("700\n", run.Text);
    }

    [Theory]
    [InlineData("rmdir \"$STATE\"", "does not exist")]
    [InlineData(":", "is empty")]
    [InlineData("mkdir \"$STATE\"/{log,test,report,prove,BenchmarkDotNet.Artifacts}", "was left without a shop")]
    [InlineData("touch \"$STATE\"/{build.lock,mutations.files}", "was left by a test of the mutations")]
    [InlineData("echo ADMIN_KEY=kept >\"$STATE/secrets\"; touch \"$STATE/shop.dump\"", "has the keys of a shop")]
    public async Task A_folder_that_may_be_a_shops_is_one_from_then_on(string before, string why)
    {
        var run = await script.RunAsync($"""
            {before}
            open_state
            touch "$STATE/shop.dump"
            open_state
            remove_state "$STATE"
            [[ ! -e $STATE ]]
            mkdir "$STATE"
            """);

        run.ExitCode.ShouldBe(0, why + run.Text);
    }

    [Fact]
    public async Task One_whose_removal_was_killed_is_still_a_shops()
    {
        var run = await script.RunAsync("""
            open_state
            touch "$STATE/other"
            (
              rm() { [[ $* != *log* ]] || exit 9; command rm "$@"; }
              remove_state "$STATE"
            ) || need_own_state
            ls "$STATE"
            """);

        run.Output.ShouldBe("lock\nlog\n", run.Text);
    }

    [Fact]
    public async Task Test_runs_that_were_killed_are_removed_and_those_that_run_stay()
    {
        var run = await script.RunAsync("""
            TEST_HOME=$STATE/test
            for run in owned killed removed started; do
              mkdir -p "$TEST_HOME/run-$run/log"
              touch "$TEST_HOME/run-$run/lock"
            done
            echo "$$ $(identity $$)" >"$TEST_HOME/run-owned/owner"
            echo "$$ 1" >"$TEST_HOME/run-killed/owner"
            exec 6>"$TEST_HOME/run-started/lock"
            flock -n 6
            remove_old_engines() { :; }
            stop_report_shop() { remove_state "$STATE"; }
            remove_old_runs
            ls "$TEST_HOME"
            """);

        run.Output.ShouldBe("run-owned\nrun-started\n", run.Text);
    }

    [Fact]
    public async Task The_owner_of_a_run_is_removed_last()
    {
        var run = await script.RunAsync("""
            mkdir -p "$STATE/test/run-1/log" "$STATE/test/run-1/data"
            cd "$STATE/test/run-1"
            touch lock owner
            rm() { echo "rm ${*##*/}"; }
            find() { command find "$@" | sed 's/.*/find &/; s:/.*/::'; }
            declare -f remove_state | sed 's/-exec rm -rf {} +//' >../../remove
            . ../../remove
            remove_state "$PWD"
            """);

        run.Output.ShouldBe("find data\nrm -rf log lock owner\n", run.Text);
    }

    [Fact]
    public async Task A_build_that_was_interrupted_is_not_taken_for_one()
    {
        var run = await script.RunAsync("""
            open_state
            for name in $ROLES; do mkdir -p "$STATE/$name/app"; done
            sources() { echo "1 2 global.json"; }
            with_lock() { "${@:2}"; }
            compile() { :; }
            copy_build() { :; }
            build_processes
            ! is_built || echo built
            (
              copy_build() { exit 9; }
              build_processes
            ) || echo interrupted
            is_built || echo again
            build_processes
            ! is_built || echo built
            """);

        run.Output.ShouldBe("built\ninterrupted\nagain\nbuilt\n", run.Text);
    }

    [Fact]
    public async Task Only_a_folder_that_an_engine_of_this_user_has_made_is_removed()
    {
        var run = await script.RunAsync("""
            made=$(mktemp -d /tmp/apexshop-engine.XXXXXX)
            link=/tmp/apexshop-engine.$(printf '%06d' $((BASHPID % 1000000))) short=${made%?}
            ln -s "$made" "$link"
            mkdir "$short" "$made|"
            for folder in "$made" "$link" "$short" "$made|" "$made/none" '/tmp/apexshop-engine.*'; do
              ! is_engine_folder "$folder" || echo "${folder#"$made"}."
            done
            rm -r "$link" "$short" "$made|" "$made"
            (STATE=/dev/null; if start_engine; then echo started; fi) || echo refused
            """);

        run.Output.ShouldBe(".\nrefused\n", run.Text);
        run.Error.ShouldContain("cannot be written");
    }
}
