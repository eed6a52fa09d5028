using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>
/// What ./apexshop erase does with the responses of a shop; ErasedFilesTests erases persons of a real one.
/// </summary>
public sealed class EraseVerbTests : IDisposable
{
    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData("""{"detail":"Later.","code":"version.overtaken"}\n409""")]
    [InlineData("""{"detail":"Later.","code":"database.unavailable"}\n503""")]
    [InlineData("""\n000""")]
    public async Task A_refusal_that_ends_by_itself_is_repeated(string response)
    {
        const string first = "(($(wc -l <\"$ROOT/requests\") > 1))";
        var erased = await EraseAsync($"{first} || {{ printf '{response}'; exit; }}", "17");
        erased.ExitCode.ShouldBe(0, erased.Error);
        script.Read("requests").Split('\n').Count(line => line.EndsWith("/users/17/erase")).ShouldBe(2);
        erased.Output.ShouldContain("Erased in the tables and the event log: users 17\n");
        script.Read("requests").ShouldNotContain("kept", Case.Sensitive, "the key is no argument");
    }

    [Fact]
    public async Task Open_orders_are_named_and_the_other_users_are_erased()
    {
        const string refusal =
            """{"detail":"No.","code":"user.has_open_orders","blockedBy":{"resource":"orders","ids":[5,6]}}\n409""";
        var erased = await EraseAsync($"[[ $* != *users/17* ]] || {{ printf '{refusal}'; exit; }}", "17 18");
        erased.ExitCode.ShouldBe(1);
        erased.Error.ShouldContain("users/17: deliver or cancel these orders: 5 6\n");
        erased.Output.ShouldContain("Erased in the tables and the event log: users 18\n");
    }

    [Fact]
    public async Task Files_are_not_touched_while_something_is_left_to_do()
    {
        script.Write(".local/engine", "SERVERS=native\n");
        var erased = await EraseAsync(
            "printf '{\"detail\":\"No.\",\"code\":\"user.has_open_orders\"}\n409'; exit",
            "17 --files",
            "in_cluster() { return 1; }\nopen_state() { :; }\nerase_files() { say 'copied'; }\n");
        erased.ExitCode.ShouldBe(1);
        erased.Error.ShouldContain("users/17: deliver or cancel these orders");
        erased.Output.ShouldNotContain("copied");
    }

    [Fact]
    public async Task Files_alone_need_no_user_and_the_documents_from_before_a_rebuild_are_dropped()
    {
        script.Write(".local/engine", "SERVERS=native\n");
        var erased = await EraseAsync("", "--files", "open_state() { :; }\nerase_files() { say 'copied'; }\n");
        erased.ExitCode.ShouldBe(0, erased.Error);
        script.Read("requests").ShouldContain("/previous");
        erased.Output.ShouldContain("copied");
    }

    [Theory]
    [InlineData("data.before")]
    [InlineData("data.kept-1790000000")]
    public async Task Data_that_a_restore_has_kept_is_named_and_the_users_are_erased(string folder)
    {
        script.Write(".local/engine", "SERVERS=native\n");
        script.Write($".local/postgres/{folder}/is", "kept");
        var erased = await EraseAsync("", "17 --files", "open_state() { :; }\nerase_files() { say 'copied'; }\n");
        erased.ExitCode.ShouldBe(1);
        erased.Error.ShouldContain(script.At($".local/postgres/{folder}"));
        erased.Output.ShouldContain("Erased in the tables and the event log: users 17\n");
        erased.Output.ShouldNotContain("copied");
    }

    [Fact]
    public async Task Documents_that_stay_behind_end_it()
    {
        var erased = await EraseAsync("", "17", "ERASE_SECONDS=0\nsql() { echo 'orders|5'; }\n");
        erased.ExitCode.ShouldBe(1);
        erased.Error.ShouldContain("1 documents or names of customers are not up to date");
    }

    [Fact]
    public async Task It_ends_when_the_dead_letters_with_a_person_cannot_be_read()
    {
        var erased = await EraseAsync("", "17", "sql() { [[ $* != *'dead_letters WHERE true'* ]]; }\n");
        erased.ExitCode.ShouldBe(1);
    }

    [Theory]
    [InlineData("docker", "in_cluster() { return 1; }")]
    [InlineData("native", "in_cluster() { :; }")]
    public async Task The_files_of_other_servers_are_refused_before_anything_is_erased(string engine, string cluster)
    {
        script.Write(".local/engine", $"SERVERS={engine}\n");
        var refused = await EraseAsync("", "17 --files", $"{cluster}\n");
        refused.ExitCode.ShouldBe(1);
        refused.Error.ShouldContain("nothing was erased");
        File.Exists(script.At("requests")).ShouldBeFalse();
    }

    /// <summary>The sizes are those of PostgreSQL: of the largest table, and of its changes in the WAL.</summary>
    [Theory]
    [InlineData("3000 2000", 5499)]
    [InlineData("1 1", 501)]
    public async Task Without_space_for_the_copies_nothing_is_erased(string sizes, int free)
    {
        script.Write(".local/engine", "SERVERS=native\n");
        var before = $$"""
            open_state() { :; }
            erase_files() { say 'copied'; }
            sql() { [[ $* != *pg_total_relation_size* ]] || echo {{sizes}}; }
            postgres_data() { echo /data; }
            free_space_of() { [[ $1 == /data ]] && echo
            """;

        var refused = await EraseAsync("", "17 --files", $"{before} {free}; }}\n");
        refused.ExitCode.ShouldBe(1);
        refused.Error.ShouldContain($"Nothing was erased: --files needs {free + 1} MB on the disk of ");
        refused.Error.ShouldContain($"only {free} MB left");
        File.Exists(script.At("requests")).ShouldBeFalse();

        var erased = await EraseAsync("", "17 --files", $"{before} {free + 1}; }}\n");
        erased.ExitCode.ShouldBe(0, erased.Error);
        erased.Output.ShouldContain("copied");
    }

    [Fact]
    public async Task It_asks()
    {
        var asked = await script.CallAsync("need_running() { :; }\nfind_postgres() { :; }\nrun_verb erase 17");
        asked.ExitCode.ShouldBe(1);
        asked.Error.ShouldContain("--yes");
    }

    // Every request is a line of the file; the response is that of the statements, or that there is nothing more to do.
    private Task<ProgramRun> EraseAsync(string response, string arguments, string before = "")
    {
        script.WriteProgram("curl", $"echo \"${{@: -3:1}}\" >>\"$ROOT/requests\"\n{response}\nprintf '\\n204'");
        return script.CallAsync($$"""
            for name in need_running find_postgres sql sleep postgres_data; do eval "$name() { :; }"; done
            free_space_of() { echo 500; }
            {{before}}
            run_verb erase --yes {{arguments}}
            """);
    }
}
