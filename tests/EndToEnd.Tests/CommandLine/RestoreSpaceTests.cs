namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>A restore to a point in time needs space for a copy of the backup, and leaves none that failed.</summary>
public sealed class RestoreSpaceTests : IDisposable
{
    private readonly ScriptFolder script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData(2, 732, 0)]
    [InlineData(2, 731, 32)]
    [InlineData(600, 8892, 0)]
    [InlineData(600, 8891, 8192)]
    public async Task Without_it_nothing_is_stopped(int archived, int free, int changes)
    {
        var run = await script.RunAsync($$"""
            mkdir -p "$STATE/postgres/data"
            free_space_of() { [[ $1 == "$STATE/postgres" ]] && echo {{free}}; }
            BACKUP=second
            wal() { printf '00000001000000000000%04X' "$1"; }
            BACKUPS=$(printf '%s\t%s\t1\t%s\t%s\t1\n' first full "$(wal 1)" 99999999999 \
              second diff "$(wal 5)" $((200 * 1024 * 1024)))
            # Files of before the end of the backup and of after the point in time do not count.
            REPOSITORY=$STATE/repository AT=2000000000
            mkdir -p "$REPOSITORY/archive/shop/15-1"
            cd "$REPOSITORY/archive/shop/15-1"
            for ((n = 4; n < 5 + {{archived}}; n++)); do files+=("$(wal "$n")-1.zst"); done
            touch -d @1000 "${files[@]}" 00000002.history
            touch -d @3000 "$(wal "$n")-1.zst"
            need_space_for_copy
            """);

        run.ExitCode.ShouldBe(changes == 0 ? 0 : 1, run.Text);
        if (changes == 0) return;
        run.Error.ShouldContain($"Nothing was stopped or changed: a restore needs {free + 1} MB beside the data");
        run.Error.ShouldContain($"(200 for the backup, {changes} for the archived changes after it, 500 that stay");
        run.Error.ShouldContain($"only {free} MB left");
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
