using System.Diagnostics;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>
/// What a restore does with the processes: Commands.Api does not write meanwhile, and no API accepts a token from
/// before: the id of a customer's may belong to another person, and a consistency token may be of a lost command.
/// BackupTests restores real tables.
/// </summary>
public sealed class RestoreTests : IDisposable
{
    // The tables are those of no server. The processes that run during the restore are written to a file.
    private const string Restore = """
        need_postgres() { load_settings; }
        is_backup() { :; }
        sql() { cat >/dev/null; }
        restore_tables() { running_names >"$ROOT/meanwhile"; wait_here; }
        wait_here() { :; }

        """;

    private readonly FakeShop shop = new();

    private string SavedKey => shop.Script.Read(".local/secrets").Split('\n')
        .Single(line => line.StartsWith("SESSIONS_KEY=", StringComparison.Ordinal))["SESSIONS_KEY=".Length..];

    public void Dispose() => shop.Dispose();

    [Fact]
    public async Task Both_APIs_run_with_a_new_key_of_tokens_and_commands_stand_still_meanwhile()
    {
        await StartAsync();
        var before = (Projector: shop.Pid("projector"), Queries: shop.Pid("queries"), Commands: shop.Pid("commands"));
        (await KeyAsync("queries")).ShouldBe("before");
        var consistency = await shop.SettingAsync("queries", "Consistency__Key");

        var restored = await RestoreAsync("");

        restored.ExitCode.ShouldBe(0, restored.Output + restored.Error);
        restored.Output.ShouldContain("Customers must log in again.");
        shop.Script.Read("meanwhile").Trim().ShouldBe("projector queries");
        SavedKey.Length.ShouldBe(48);
        (await KeyAsync("commands")).ShouldBe(SavedKey);
        (await KeyAsync("queries")).ShouldBe(SavedKey);
        (await shop.SettingAsync("queries", "Consistency__Key")).ShouldNotBe(consistency);
        (await shop.SettingAsync("commands", "Consistency__Key")).ShouldNotBe(consistency);
        shop.Script.Read(".local/secrets").ShouldStartWith("ADMIN_KEY=kept\n", Case.Sensitive, "the others stay");
        shop.Pid("projector").ShouldBe(before.Projector);
        shop.Pid("queries").ShouldNotBe(before.Queries);
        shop.Pid("commands").ShouldNotBe(before.Commands);
    }

    [Fact]
    public async Task The_processes_are_those_of_the_scale_after_the_question()
    {
        await StartAsync();
        var restored = await RestoreAsync("""
            confirm() {
              echo SCALE=commands=2 >"$STATE/scale"
              (load_settings && start_process commands-2)
              cp "$STATE/commands-2/pid" "$ROOT/before"
            }
            """);

        restored.ExitCode.ShouldBe(0, restored.Output + restored.Error);
        shop.Script.Read("meanwhile").Trim().ShouldBe("projector queries");
        shop.Pid("commands-2").ShouldNotBeNull();
        shop.Script.Read(".local/commands-2/pid").ShouldNotBe(shop.Script.Read("before"));
    }

    [Fact]
    public async Task After_a_restore_that_failed_commands_run_again()
    {
        await StartAsync();
        var failed = await RestoreAsync("wait_here() { return 1; }");
        failed.ExitCode.ShouldBe(1);
        failed.Error.ShouldContain("Nothing was restored");
        (await KeyAsync("commands")).ShouldBe(SavedKey);
        (await KeyAsync("queries")).ShouldBe(SavedKey);
    }

    [Theory]
    [InlineData("Commands.Api", "")]
    [InlineData("Projector", "")]
    [InlineData("", "sql() { cat >/dev/null && [[ $1 != postgres ]]; }")]
    public async Task Commands_stay_stopped_when_a_step_of_the_preparation_fails(string failing, string statements)
    {
        await StartAsync();
        shop.Script.WriteProgram("dotnet", $$"""
            case "$*" in
              *.{{failing}}.dll\ migrate) exit 1 ;;
              *.dll) trap exit TERM; while :; do sleep 0.05; done ;;
            esac
            """);
        var failed = await RestoreAsync(statements);
        failed.ExitCode.ShouldBe(1, failed.Output);
        failed.Error.ShouldContain("Commands.Api was not started");
        shop.Pid("commands").ShouldBeNull();
    }

    [Fact]
    public async Task An_interrupted_restore_leaves_no_process_with_the_old_key()
    {
        await StartAsync();
        const string waits = """wait_here() { touch "$ROOT/waits"; sleep 60; }""";
        var interrupted = await RestoreAsync(waits, shop.Script.InterruptAsync);
        interrupted.ExitCode.ShouldBe(130, interrupted.Error);
        interrupted.Error.ShouldContain("./apexshop up starts what was stopped");
        shop.Pid("commands").ShouldBeNull();
        SavedKey.ShouldNotBe("before");
        (await KeyAsync("queries")).ShouldBe(SavedKey);
    }

    private Task<string> KeyAsync(string name) => shop.SettingAsync(name, "Sessions__Key");

    private async Task StartAsync()
    {
        foreach (var name in (string[])["commands", "projector", "queries"]) await shop.SucceedsAsync("start", name);
    }

    private Task<ProgramRun> RestoreAsync(string statements, Func<Process, Task>? meanwhile = null)
    {
        shop.Script.Write("file", "");
        foreach (var name in (string[])["roles", "database"])
            shop.Script.Write($"deploy/compose/postgres/{name}.sql", "");
        return shop.Script.CallAsync($"{Restore}{statements}\nrun_verb restore --yes \"$ROOT/file\"", meanwhile);
    }
}
