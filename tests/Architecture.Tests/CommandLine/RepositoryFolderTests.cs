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

    [Fact]
    public async Task The_advised_folder_is_accepted()
    {
        script.Write(".local/archive", $"REPOSITORY={script.At("backups")}\nLAST_BACKUP=\n");
        Directory.CreateDirectory(script.At("backups"));

        (await script.CallAsync(Check)).ExitCode.ShouldBe(0);
    }
}
