namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>A folder of backups that is not as it was left is refused, with advice that helps.</summary>
public sealed class RepositoryFolderTests : IDisposable
{
    private const string Check = """
        as_postgres() { "$@"; }
        load_archive
        check_repository
        """;

    private const string NewFolder = "install -d -m 700";

    private const string AnotherFolder = "APEXSHOP_BACKUPS=OTHER ./apexshop backup";

    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData(false, "", NewFolder, AnotherFolder)]
    [InlineData(false, "1", AnotherFolder, NewFolder)]
    [InlineData(true, "1", AnotherFolder, NewFolder)]
    public async Task A_folder_that_had_backups_is_not_made_again(bool exists, string last, string advice, string not)
    {
        script.Write(".local/archive", $"REPOSITORY={script.At("backups")}\nLAST_BACKUP={last}\n");
        if (exists) Directory.CreateDirectory(script.At("backups"));

        var refused = await script.CallAsync(Check);

        refused.ExitCode.ShouldBe(1, refused.Output);
        refused.Error.ShouldContain(advice);
        refused.Error.ShouldNotContain(not);
    }

    /// <summary>The files of others stay theirs: only in a folder with backups all get another owner.</summary>
    [Theory]
    [InlineData("", "chown someone '")]
    [InlineData("archive/shop", "chown -R someone '")]
    [InlineData("dpkg.status", "has files that are no backups")]
    public async Task A_folder_that_PostgreSQL_cannot_use_keeps_the_files_of_others(string file, string advice)
    {
        script.Write(".local/archive", $"REPOSITORY={script.At("backups")}\n");
        Directory.CreateDirectory(script.At("backups"));
        if (file.Length > 0) script.Write($"backups/{file}", "");

        var refused = await script.CallAsync("""
            as_postgres() { [[ $1 == id ]] && echo someone; }
            load_archive
            check_repository
            """);

        refused.ExitCode.ShouldBe(1, refused.Output);
        refused.Error.ShouldContain(advice);
        refused.Error.Contains("chown", default).ShouldBe(advice.StartsWith("chown", default));
    }

    /// <summary>The file of the state folder cannot be written, or PostgreSQL's settings cannot.</summary>
    [Theory]
    [InlineData("ln -s /dev/full \"$STATE/archive.new\"")]
    [InlineData("as_postgres() { [[ $1 != tee ]]; }")]
    public async Task With_a_full_disk_archiving_stays_on_and_nothing_is_stopped(string full)
    {
        const string archive = "ARCHIVING=on\nREPOSITORY=/mnt/backups\nBACKUPS_KEPT=2\nLAST_BACKUP=1\n";
        script.Write(".local/archive", archive);
        script.Write(".local/postgres/data/postgresql.conf", "archive_mode = on\n");
        script.Write("deploy/compose/postgres/postgresql.conf", "");

        var failed = await script.CallAsync($$"""
            as_postgres() { "$@"; }
            {{full}}
            need_archive_tools() { load_settings; }
            is_running() { :; }
            stop_server() { echo stopped; }
            run_verb backup off
            """);

        failed.ExitCode.ShouldBe(1, failed.Output);
        failed.Output.ShouldBeEmpty();
        failed.Error.ShouldContain("is its disk full?");
        script.Read(".local/archive").ShouldBe(archive);
        script.Read(".local/postgres/data/postgresql.conf").ShouldBe("archive_mode = on\n");
    }

    /// <summary>The settings are off already; what PostgreSQL responds decides, when it runs.</summary>
    [Theory]
    [InlineData("is_running() { :; }; sql() { echo on; }", "stop\nstart\n", "")]
    [InlineData("is_running() { :; }; sql() { echo off; }", "", "")]
    [InlineData("is_running() { return 1; }", "", "PostgreSQL is stopped; ./apexshop up starts it.\n")]
    public async Task An_end_of_archiving_that_was_interrupted_goes_on(string state, string calls, string last)
    {
        script.Write(".local/archive", "ARCHIVING=off\nREPOSITORY=/mnt/backups\nBACKUPS_KEPT=2\nLAST_BACKUP=1\n");
        script.Write(".local/postgres/data/postgresql.conf", "archive_mode = on\n");
        script.Write("deploy/compose/postgres/postgresql.conf", "");

        var ended = await script.CallAsync($$"""
            as_postgres() { "$@"; }
            need_archive_tools() { load_settings; }
            stop_server() { echo stop >>"$ROOT/calls"; }
            start_server() { echo start >>"$ROOT/calls"; }
            await() { :; }
            touch "$ROOT/calls"
            {{state}}
            run_verb backup off
            """);

        ended.ExitCode.ShouldBe(0, ended.Error);
        script.Read("calls").ShouldBe(calls);
        ended.Output.ShouldEndWith(
            "Continuous archiving is off. The backups stay in /mnt/backups. ./apexshop backup switches it on again.\n"
            + last);
        script.Read(".local/postgres/data/postgresql.conf").Contains("archive_mode", StringComparison.Ordinal)
            .ShouldBe(calls.Length == 0);
    }

    [Fact]
    public async Task An_end_of_archiving_fails_while_PostgreSQL_does_not_respond()
    {
        script.Write(".local/archive", "ARCHIVING=off\nREPOSITORY=/mnt/backups\nBACKUPS_KEPT=2\nLAST_BACKUP=1\n");

        var refused = await script.CallAsync("""
            need_archive_tools() { load_settings; }
            is_running() { :; }
            sql() { return 2; }
            run_verb backup off
            """);

        (refused.ExitCode, refused.Output).ShouldBe((1, ""), refused.Error);
        refused.Error.ShouldContain("./apexshop logs postgres");
    }

    [Fact]
    public async Task An_interrupted_end_of_archiving_says_how_it_goes_on()
    {
        script.Write(".local/engine", "SERVERS=native\n");
        script.Write(".local/archive", "ARCHIVING=on\nREPOSITORY=/mnt/backups\nBACKUPS_KEPT=2\nLAST_BACKUP=1\n");
        script.Write(".local/postgres/data/postgresql.conf", "archive_mode = on\n");
        script.Write("deploy/compose/postgres/postgresql.conf", "");

        var interrupted = await script.CallAsync("""
            as_postgres() { "$@"; }
            need_archive_tools() { load_settings; }
            is_running() { [[ $1 == postgres ]]; }
            stop_server() { touch "$ROOT/waits"; sleep 60; }
            run_verb backup off
            """, script.InterruptAsync);

        interrupted.ExitCode.ShouldBe(130, interrupted.Error);
        interrupted.Error.ShouldContain("./apexshop backup off goes on from here");
    }

    [Fact]
    public async Task The_advised_folder_is_accepted()
    {
        script.Write(".local/archive", $"REPOSITORY={script.At("backups")}\nLAST_BACKUP=\n");
        Directory.CreateDirectory(script.At("backups"));

        (await script.CallAsync(Check)).ExitCode.ShouldBe(0);
    }
}
