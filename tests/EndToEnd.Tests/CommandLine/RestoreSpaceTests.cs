namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>A restore to a point in time needs space for a copy of the backup, and leaves none that failed.</summary>
public sealed class RestoreSpaceTests : IDisposable
{
    private readonly ScriptFolder script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData(700, 0)]
    [InlineData(699, 1)]
    public async Task Without_it_nothing_is_stopped(int free, int code)
    {
        var run = await script.RunAsync($$"""
            mkdir -p "$STATE/postgres/data"
            free_space_of() { [[ $1 == "$STATE/postgres" ]] && echo {{free}}; }
            BACKUP=second
            BACKUPS=$(printf '%s\t%s\t1\tx\t%s\t1\n' first full 99999999999 second diff $((200 * 1024 * 1024)))
            need_space_for_copy
            """);

        run.ExitCode.ShouldBe(code, run.Text);
        if (code == 0) return;
        run.Error.ShouldContain("Nothing was stopped or changed: the backup needs 200 MB beside the data");
        run.Error.ShouldContain("only 699 MB left");
    }

    [Fact]
    public async Task A_copy_that_failed_is_removed()
    {
        var run = await script.RunAsync("""
            mkdir -p "$STATE/postgres/data" "$STATE/log"
            ((EUID != 0)) || chown postgres "$STATE/postgres"
            BACKUP=full TIMELINE=1 TARGET=''
            archive_tool() { touch "$STATE/postgres/data.new/part" && echo "No space left on device" && return 1; }
            (copy_backup) || (cd "$STATE" && find . -type d -o -name restoring | sort)
            """);

        run.Output.ShouldEndWith("\n.\n./log\n./postgres\n./postgres/data\n", Case.Sensitive, run.Text);
        run.Error.ShouldContain("No space left on device");
        run.Error.ShouldContain("Nothing was stopped or changed: the backup could not be copied");
    }
}
