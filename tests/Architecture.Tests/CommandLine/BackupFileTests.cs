using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>The file of ./apexshop backup FILE, without a server; BackupTests restores one.</summary>
public sealed class BackupFileTests : IDisposable
{
    // A backup has two lines; between them it waits for the file that WAITS_FOR names.
    private const string Shop = """
        need_postgres() { load_settings; }
        dump_tables() {
          echo "$BACKUP begins"
          touch "$ROOT/waits"
          until [[ -e $ROOT/$WAITS_FOR ]]; do sleep 0.05; done
          echo "$BACKUP ends"
        }
        BACKUP=first WAITS_FOR=eng

        """;

    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Fact]
    public async Task Of_two_backups_with_one_name_at_the_same_time_the_later_one_fails_and_both_are_whole()
    {
        var run = await script.CallAsync(Shop + """
            (WAITS_FOR=ended; run_verb backup "$ROOT/file" 2>"$ROOT/error") &
            until [[ -e $ROOT/waits ]]; do sleep 0.05; done
            (BACKUP=second; run_verb backup "$ROOT/file")
            touch "$ROOT/ended"
            wait $! || echo "the first one failed"
            cat "$ROOT"/file.part.*
            """);
        run.ExitCode.ShouldBe(0, run.Error);
        script.Read("file").ShouldBe("second begins\nsecond ends\n");
        run.Output.ShouldEndWith("the first one failed\nfirst begins\nfirst ends\n");
        script.Read("error").ShouldContain("another command may have made it");
        script.Read("error").ShouldContain($"It is in {script.At("file.part.")}");
    }

    [Fact]
    public async Task Only_its_owner_can_read_it()
    {
        // As a version before, or another user, has left it.
        script.Write("file.part", "");
        var run = await script.CallAsync(Shop + """
            umask 000
            chmod 666 "$ROOT/file.part"
            run_verb backup "$ROOT/file"
            stat -c %a "$ROOT/file"
            """);
        run.Output.ShouldEndWith("\n600\n", Case.Sensitive, run.Error);
    }

    [Fact]
    public async Task An_interrupted_or_failed_one_leaves_nothing()
    {
        var interrupted = await script.CallAsync(
            $"{Shop}WAITS_FOR=never\nrun_verb backup \"$ROOT/file\"", script.InterruptAsync);
        interrupted.ExitCode.ShouldBe(130, interrupted.Error);
        Files().ShouldBeEmpty();

        var failed = await script.CallAsync(
            $"{Shop}dump_tables() {{ echo begins; return 1; }}\nrun_verb backup \"$ROOT/file\"");
        failed.ExitCode.ShouldBe(1);
        failed.Error.ShouldContain("The backup failed");
        Files().ShouldBeEmpty();
    }

    [Fact]
    public async Task What_a_killed_one_has_left_is_named_by_the_next_one()
    {
        await script.CallAsync($"{Shop}WAITS_FOR=never\nrun_verb backup \"$ROOT/file\"", async running =>
        {
            await Eventually.Holds(() => Task.FromResult(File.Exists(script.At("waits"))), "it is written");
            running.Kill(entireProcessTree: true);
        });
        var left = Files().ShouldHaveSingleItem();

        var next = await script.CallAsync($"{Shop}run_verb backup \"$ROOT/another file\"");
        next.ExitCode.ShouldBe(0, next.Error);
        next.Output.ShouldContain(left);
        script.Read("another file").ShouldBe("first begins\nfirst ends\n");
    }

    private string[] Files() => Directory.GetFiles(script.At("."), "file*").Select(Path.GetFullPath).ToArray();
}
