using System.Globalization;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>
/// What ./apexshop restore --to decides before it changes anything, and what it leaves when it is killed.
/// PointInTimeTests restores real servers.
/// </summary>
public sealed class PointInTimeArgumentTests : IDisposable
{
    // Timeline 2 began at 200 s, with the state of 150 s; timeline 3 at 300 s, with that of 180 s on timeline 1.
    private const string Timelines = """
        2 1 200000000 150000000
        3 1 300000000 180000000
        """;

    private const string Backups = """
        first	full	100	000000010000000000000002
        taken back	diff	170	000000010000000000000004
        second	diff	220	000000020000000000000006
        third	diff	320	000000030000000000000009
        """;

    // The user postgres cannot enter the folder of a test.
    private const string AsCaller = "as_postgres() { \"$@\"; }\n";

    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData("50", "1 ")]
    [InlineData("100.999999", "1 ")]
    [InlineData("101", "1 first")]
    [InlineData("160", "1 first")]
    [InlineData("190", "1 taken back")]
    [InlineData("210", "2 first")]
    [InlineData("250", "2 second")]
    [InlineData("310", "3 taken back")]
    [InlineData("330", "3 third")]
    public async Task The_backup_is_of_the_timeline_that_the_shop_was_on(string seconds, string expected)
    {
        script.Write(".local/timelines", Timelines + "\n");
        script.Write(".local/archive", "REPOSITORY=/kept\n");
        var at = (long)(decimal.Parse(seconds, CultureInfo.InvariantCulture) * 1_000_000);
        var chosen = await script.CallAsync($$"""
            REPOSITORY=/kept
            timeline=$(timeline_at {{at}})
            printf '%s %s' "$timeline" "$(best_backup {{at}} "$timeline" <<<'{{Backups}}')"
            """);
        chosen.Error.ShouldBeEmpty();
        chosen.Output.ShouldBe(expected);
    }

    /// <summary>File n was archived at n * 60 s; archiving was off where files are missing.</summary>
    [Theory]
    [InlineData("first", "2 3 4 5 8 9", "300000000", "221")]
    [InlineData("second", "2 3 4 5 6 7 8 9", "540000000", "101")]
    [InlineData("third", "2 3 4 5 8 9", "540000000", "221")]
    [InlineData("third", "2 3 4 5", "0", "101")]
    public async Task Times_in_a_gap_of_the_archive_are_not_offered(
        string backup, string archived, string unbroken, string earliest)
    {
        var files = archived.Split(' ').Select(number => (
            Name: $"00000001000000000000000{number}-0123abcd.zst",
            At: DateTimeOffset.FromUnixTimeSeconds(int.Parse(number, CultureInfo.InvariantCulture) * 60)));
        foreach (var (name, at) in files)
        {
            script.Write($"backups/archive/shop/{name}", "");
            File.SetLastWriteTimeUtc(script.At($"backups/archive/shop/{name}"), at.UtcDateTime);
        }

        var found = await script.CallAsync($$"""
            REPOSITORY=$ROOT/backups
            BACKUPS=$(sed 's/6$/8/' <<<'{{Backups}}')
            unbroken_end "$(awk -F '\t' '$1 == "{{backup}}" { print $4 }' <<<"$BACKUPS")"
            echo " $(earliest_point)"
            """);

        (found.Output, found.Error).ShouldBe(($"{unbroken} {earliest}\n", ""));
    }

    /// <summary>PostgreSQL refuses the password while it applies changes, or after the last of them.</summary>
    [Theory]
    [InlineData("in archive recovery", "promoted\n")]
    [InlineData("in production", "The restored data has another POSTGRES_PASSWORD")]
    public async Task A_refused_password_is_final_only_after_the_last_change_was_applied(string state, string outcome)
    {
        script.Write(".local/postgres/log", "replaying\n");
        var awaited = await script.CallAsync($$"""
            load_settings
            sleep() { :; }
            is_running() { :; }
            postgres_data() { :; }
            cluster_state() { echo '{{state}}'; }
            tail() { cat; }
            sql() {
              echo >>"$STATE/tries"
              (($(wc -l <"$STATE/tries") <= 3)) || { echo f && return; }
              echo 'FATAL:  password authentication failed for user'
              return 2
            }
            await_promotion && echo promoted
            """);
        awaited.Output.ShouldContain(outcome);
    }

    [Fact]
    public async Task A_shop_without_timelines_uses_the_copy_of_the_repository()
    {
        script.Write("repository/timelines", Timelines + "\n");
        const string read = "REPOSITORY=$ROOT/repository\ncurrent_timeline\nREPOSITORY=/none\ncurrent_timeline";
        (await script.CallAsync(AsCaller + read)).Output.ShouldBe("3\n1\n");
    }

    [Fact]
    public async Task A_trial_with_another_repository_begins_with_the_timelines_of_that()
    {
        script.Write(".local/timelines", Timelines + "\n4 3 400 400\n");
        script.Write(".local/archive", "REPOSITORY=/kept\n");
        script.Write("repository/timelines", Timelines + "\n");
        const string read = "REPOSITORY=/kept\ncurrent_timeline\nREPOSITORY=$ROOT/repository\ncurrent_timeline";
        (await script.CallAsync(AsCaller + read)).Output.ShouldBe("4\n3\n");
    }

    [Theory]
    [InlineData("2026-11-22T15:04:05Z", "1795359845000000")]
    [InlineData("2026-11-22 15:04:05.25+00", "1795359845250000")]
    [InlineData("2026-11-22T16:04:05+01", "1795359845000000")]
    [InlineData("2026-11-22T09:34-05:30", "1795359840000000")]
    public async Task A_time_has_a_zone(string time, string microseconds)
    {
        var read = await script.CallAsync($"OPTION_TO='{time}'\nread_point_in_time\necho $AT");
        (read.Output, read.Error).ShouldBe(($"{microseconds}\n", ""));
    }

    [Theory]
    [InlineData("--to", "2026-11-22T15:04:05")]
    [InlineData("--to", "2026-11-22")]
    [InlineData("--to", "2026-02-30T15:04:05Z")]
    [InlineData("--to", "yesterday")]
    [InlineData("--to", "2026-11-22T15:04:05Z", "--latest")]
    [InlineData("--latest", "file")]
    [InlineData("--yes")]
    public async Task Anything_else_is_refused(params string[] arguments)
    {
        var before = script.State;
        var refused = await script.RunAsync(["restore", .. arguments]);
        refused.ExitCode.ShouldBe(2, refused.Output + refused.Error);
        refused.Error.ShouldContain("--to TIME");
        script.State.ShouldBe(before);
    }

    [Theory]
    [InlineData("backup")]
    [InlineData("backup full")]
    [InlineData("backup list")]
    [InlineData("backup off")]
    [InlineData("restore --latest --yes")]
    public async Task With_Docker_it_is_refused_and_the_page_that_helps_is_named(string arguments)
    {
        script.Write(".local/engine", "SERVERS=docker\n");
        var refused = await script.RunAsync(arguments.Split(' '));
        refused.ExitCode.ShouldBe(1);
        refused.Error.ShouldContain("docs/operations.md");
    }

    [Theory]
    [InlineData("data=before data.new=restored")]
    [InlineData("data.before=before data.new=restored")]
    [InlineData("data.before=before data=restored")]
    public async Task The_next_verb_puts_back_what_a_killed_restore_has_moved(string left)
    {
        script.Write(".local/timelines.new", Timelines);
        var next = await OpenAsync(left);
        next.Output.ShouldStartWith("A restore did not finish: the data from before it is put back.\n");
        next.Output.ShouldEndWith("\ndata=before\n");
        File.Exists(script.At(".local/timelines.new")).ShouldBeFalse();
    }

    [Theory]
    [InlineData("data=now data.new=restored", "", "data=now")]
    [InlineData("data=now data.deleted=before", "", "data=now")]
    [InlineData("data=now data.before=before data.kept-1=older", "", "data.before=before data.kept-1=older data=now")]
    [InlineData(
        "data=now data.new=restored", "exec 7>\"$STATE/backup.lock\" && flock 7", "data.new=restored data=now")]
    public async Task The_next_verb_removes_what_a_killed_restore_has_copied_unless_the_copy_goes_on(
        string left, string lockHolder, string expected) =>
        (await OpenAsync(left, lockHolder)).Output.ShouldEndWith($"\n{expected}\n");

    [Fact]
    public async Task Folders_that_no_restore_has_made_stay() =>
        (await OpenAsync("data=now data.new=own", isRestore: false)).Output.ShouldEndWith("\ndata.new=own data=now\n");

    // Ends with a line of the folders that are there after a verb has opened the state folder.
    private async Task<ProgramRun> OpenAsync(string left, string before = "", bool isRestore = true)
    {
        if (isRestore) script.Write(".local/restoring", "");
        foreach (var folder in left.Split(' ').Select(pair => pair.Split('=')))
            script.Write($".local/postgres/{folder[0]}/is", folder[1]);
        var opened = await script.CallAsync($$"""
            load_settings
            {{before}}
            open_state
            cd "$STATE/postgres"
            echo
            echo $(for folder in */; do echo "${folder%/}=$(cat "$folder/is")"; done)
            """);
        opened.ExitCode.ShouldBe(0, opened.Error);
        return opened;
    }
}
