using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>`clean` deletes after a yes only: on the terminal, or as an option.</summary>
public sealed class CleanTests : IDisposable
{
    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Fact]
    public async Task Without_a_terminal_it_needs_the_option_yes()
    {
        var before = script.State;
        var refused = await script.RunAsync("clean");
        refused.ExitCode.ShouldBe(1);
        refused.Error.ShouldContain("--yes");
        script.State.ShouldBe(before);

        (await script.RunAsync("clean", "--yes")).ExitCode.ShouldBe(0);
        ItIsDeleted();
    }

    [Theory]
    [InlineData("n")]
    [InlineData("")]
    [InlineData("yess")]
    public async Task Another_answer_on_the_terminal_deletes_nothing(string answer)
    {
        var before = script.State;
        var refused = await AnswerAsync(answer);
        refused.ExitCode.ShouldBe(1, refused.Output);
        refused.Output.ShouldContain("[y/N]");
        refused.Output.ShouldContain("Nothing was done.");
        script.State.ShouldBe(before);
    }

    [Theory]
    [InlineData("y")]
    [InlineData("Yes")]
    public async Task A_yes_on_the_terminal_deletes(string answer)
    {
        var cleaned = await AnswerAsync(answer);
        cleaned.ExitCode.ShouldBe(0, cleaned.Output);
        cleaned.Output.ShouldContain(script.At(".local"), Case.Sensitive, "the question names what is deleted");
        ItIsDeleted();
    }

    [Fact]
    public async Task The_target_of_a_relative_link_to_the_data_is_deleted_with_what_is_beside_it()
    {
        foreach (var folder in (string[])["data", "data.backups", "data.kept-1", "other"])
            script.Write($"disk/{folder}/is", "kept");
        script.Write(".local/postgres/version", "15");
        script.Link(".local/postgres/data", "../../disk/data");

        var cleaned = await script.RunAsync("clean", "--yes");

        cleaned.ExitCode.ShouldBe(0, cleaned.Error);
        ItIsDeleted();
        Directory.GetDirectories(script.At("disk")).ShouldBe([script.At("disk/other")]);
    }

    [Fact]
    public async Task One_that_was_killed_can_be_given_again()
    {
        script.Write("disk/data/is", "kept");
        script.Write(".local/postgres/version", "15");
        script.Link(".local/postgres/data", "../../disk/data");
        (await script.CallAsync("rmdir() { kill -9 $$; }\nrun_verb clean --yes")).ExitCode.ShouldBe(137);
        Directory.Exists(script.At("disk/data")).ShouldBeFalse();

        (await script.RunAsync("clean", "--yes")).ExitCode.ShouldBe(0);

        ItIsDeleted();
    }

    [Fact]
    public async Task Without_the_engine_of_its_servers_it_deletes_all_but_their_containers()
    {
        script.Write(".local/engine", "SERVERS=docker\n");

        var cleaned = await script.RunAsync("clean", "--yes");

        cleaned.ExitCode.ShouldBe(0, cleaned.Output + cleaned.Error);
        cleaned.Output.ShouldContain("docker volume ls -q --filter label=com.docker.compose.project=apexshop-");
        ItIsDeleted();
    }

    [Fact]
    public async Task New_keys_are_not_made_for_volumes_of_a_deleted_shop()
    {
        script.Write(".local/engine", "SERVERS=docker\n");

        var refused = await script.CallAsync("load_settings\ndocker() { echo a-volume; }\nneed_no_volumes");

        refused.ExitCode.ShouldBe(1, refused.Output);
        refused.Error.ShouldContain("Docker has volumes of an earlier shop");
    }

    [Fact]
    public async Task A_state_folder_that_is_a_link_stays_without_files()
    {
        Directory.Move(script.At(".local"), script.At("disk"));
        script.Link(".local", "disk");
        script.Write("disk/postgres/data/is", "kept");

        (await script.RunAsync("clean", "--yes")).ExitCode.ShouldBe(0);

        Directory.GetFileSystemEntries(script.At(".local")).ShouldBeEmpty();
        Directory.Exists(script.At("disk")).ShouldBeTrue();
    }

    [Theory]
    [InlineData("/mnt/of another disk", true)]
    [InlineData("$STATE/backups", false)]
    [InlineData("$STATE/to another disk", true)]
    [InlineData("$ROOT/disk/data.backups", false)]
    public async Task It_names_backups_that_stay_without_their_key_before_it_deletes(string repository, bool stay)
    {
        script.Write("disk/data/is", "kept");
        script.Write(".local/postgres/version", "15");
        script.Link(".local/postgres/data", "../../disk/data");
        script.Link(".local/to another disk", "../disk/elsewhere");

        var refused = await script.CallAsync($"""
            echo "REPOSITORY={repository}" >"$STATE/archive"
            run_verb clean
            """);

        refused.ExitCode.ShouldBe(1, refused.Output);
        refused.Error.ShouldContain("--yes");
        refused.Output.Contains("cannot be read without BACKUPS_KEY", StringComparison.Ordinal).ShouldBe(stay);
    }

    [Theory]
    [InlineData("become_cluster", "rm '$data' && ./apexshop up\n", "clean")]
    [InlineData("become_cluster; rm -r \"$STATE/postgres-2\"", "./apexshop clean", "./apexshop up")]
    [InlineData("", "BACKUPS_KEY", "./apexshop up")]
    public async Task The_advice_for_a_lost_disk_keeps_the_key_of_the_backups(string before, string advice, string not)
    {
        script.Write(".local/postgres/version", "15");
        script.Link(".local/postgres/data", "../../disk");
        script.Write(".local/postgres-2/data/server/PG_VERSION", "15");

        var refused = await script.CallAsync($$"""
            become_cluster() { NETWORK=127.7.7 SERVERS=$CLUSTER_SERVERS; }
            {{before}}
            need_data postgres
            """);

        refused.ExitCode.ShouldBe(1, refused.Output);
        var data = script.At(".local/postgres/data");
        refused.Error.ShouldContain(advice.Replace("$data", data, StringComparison.Ordinal));
        refused.Error.ShouldNotContain(not);
    }

    [Theory]
    [InlineData("run_verb clean --yes", null)]
    [InlineData("run_verb clean --yes", "disk")]
    [InlineData("prepare_postgres_folder postgres", null)]
    [InlineData("touch \"$STATE/timelines.new\"; await_end() { :; }; open_state", null)]
    public async Task Data_on_a_disk_that_is_not_mounted_is_not_given_up(string statements, string? mountPoint)
    {
        script.Write(".local/postgres/version", "15");
        script.Link(".local/postgres/data", "../../disk");
        if (mountPoint is not null) Directory.CreateDirectory(script.At(mountPoint));

        var refused = await script.CallAsync(statements);

        refused.ExitCode.ShouldBe(1, refused.Output);
        refused.Error.ShouldContain("Is its disk mounted?");
        script.Read(".local/secrets").ShouldBe("ADMIN_KEY=kept");
        new DirectoryInfo(script.At(".local/postgres/data")).LinkTarget.ShouldBe("../../disk");
        File.Exists(script.At(".local/timelines.new")).ShouldBe(statements.Contains("timelines"));
    }

    // `script` of util-linux runs the command on a pseudo-terminal and types its own input there.
    private Task<ProgramRun> AnswerAsync(string answer) => script.CallAsync($$"""
        export ROOT SHELL=/bin/bash
        script -qec 'bash "$ROOT/apexshop" clean' /dev/null <<<'{{answer}}'
        """);

    private void ItIsDeleted()
    {
        Directory.Exists(script.At(".local")).ShouldBeFalse();
        Directory.Exists(script.At("src/Shared/bin")).ShouldBeFalse();
    }
}
