namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>What `up` decides before it starts anything, with no program behind it.</summary>
public sealed class UpTests : IDisposable
{
    // The ports that another program has are in TAKEN_PORTS, the processes that run in RUNNING.
    private const string Shop = """
        for name in need_dotnet choose_engine need_tools need_same_ports make_secrets launch_servers run_processes \
          write_env_file print_addresses new_secret prepare_database await need_archive_tools choose_archive \
          check_repository write_archive_settings archive_last_changes choose_backup need_space_for_copy copy_backup \
          start_postgres await_promotion start_shop discard_data need_postgres is_backup restore_tables \
          timelines stop_server server_responds; do
          eval "$name() { :; }"
        done
        unset "${!APEXSHOP_@}"
        keep_timeline() { rm "$STATE/timelines.new"; }
        TAKEN_PORTS='' RUNNING=''
        port_is_open() { [[ " $TAKEN_PORTS " == *" $1 "* ]]; }
        is_running() { [[ " $RUNNING " == *" $1 "* ]]; }
        start_process() { echo "start $1"; }
        stop_processes() { echo "stop $PROCESSES"; RUNNING=''; }
        seed_shop() { echo seed; }
        add_customer() { echo customer; touch "$STATE/customer"; }
        up() { (run_verb up "$@" && echo "has $PROCESSES"); }

        """;

    private const string OneOfEach = "has commands projector queries\n";

    private readonly ScriptFolder script = new();

    public void Dispose() => script.Dispose();

    [Fact]
    public async Task A_new_shop_gets_sample_rows_and_a_customer_once()
    {
        var run = await script.RunAsync(Shop + "up; up");

        run.Output.ShouldBe($"seed\ncustomer\n{OneOfEach}{OneOfEach}", run.Text);
    }

    [Fact]
    public async Task A_shop_that_was_started_without_samples_never_gets_them()
    {
        var run = await script.RunAsync(Shop + "up --no-seed; up");

        run.Output.ShouldBe(OneOfEach + OneOfEach, run.Text);
    }

    [Fact]
    public async Task Nor_does_one_whose_first_start_without_them_failed()
    {
        var run = await script.RunAsync(Shop + """
            (run_processes() { fail "no memory"; }; up --no-seed) || echo failed
            up
            """);

        run.Output.ShouldBe($"failed\n{OneOfEach}", run.Text);
    }

    [Theory]
    [InlineData("\"$STATE/file\"")]
    [InlineData("--latest")]
    [InlineData("--to 2026-11-22T15:04:05Z")]
    public async Task A_restored_shop_gets_no_sample_rows(string what)
    {
        var run = await script.RunAsync(Shop + $$"""
            (open_state)
            touch "$STATE/file"
            mkdir -p "$STATE/commands/app" "$STATE/postgres/data.new"
            mkdir "$STATE/postgres/data"
            (load_settings; BACKUPS_KEY=x PG_VERSION=16; run_verb restore --yes {{what}} >/dev/null)
            up
            """);

        run.Output.ShouldBe(OneOfEach, run.Text);
    }

    [Theory]
    [InlineData(":", "The data is restored: the last archived change.")]
    [InlineData("await_promotion() { return 1; }", "Nothing was restored: the data is that from before.")]
    public async Task A_restore_after_which_the_shop_does_not_start_says_which_data_it_has(
        string promotion, string result)
    {
        var run = await script.RunAsync(Shop + $$"""
            (open_state)
            mkdir -p "$STATE/commands/app" "$STATE/postgres/data.new"
            mkdir "$STATE/postgres/data"
            start_shop() { fail "no memory"; }
            {{promotion}}
            load_settings
            BACKUPS_KEY=x PG_VERSION=16
            run_verb restore --yes --latest
            """);

        run.ExitCode.ShouldBe(1, run.Text);
        run.Error.ShouldContain("no memory");
        run.Error.ShouldContain(result);
        run.Text.ShouldContain("./apexshop up starts the rest.");
    }

    [Fact]
    public async Task The_scale_is_kept_until_another_one_is_given()
    {
        var run = await script.RunAsync(Shop + """
            RUNNING=commands
            up --no-seed
            up --scale commands=2
            RUNNING=commands-2
            up
            up --scale commands=1,projector=1,queries=1
            cat "$STATE/scale"
            """);

        const string two = "commands commands-2 projector queries";
        run.Output.ShouldBe(
            OneOfEach
            + "Stopping Commands.Api, Queries.Api and Projector: another number of processes was requested.\n"
            + $"stop commands projector queries\nhas {two}\nhas {two}\n"
            + "Stopping 2 Commands.Api, 1 Queries.Api and 1 Projectors: another number of processes was requested.\n"
            + $"stop {two}\n{OneOfEach}SCALE=\n", run.Text);
    }

    [Fact]
    public async Task A_scale_whose_ports_are_taken_stops_nothing()
    {
        var run = await script.RunAsync(Shop + """
            RUNNING="commands projector queries" TAKEN_PORTS="5100 5101 5200 5300"
            up --no-seed --scale commands=2 || cat "$STATE/scale" || echo refused
            """);

        run.Output.ShouldBe("refused\n", run.Text);
        run.Error.ShouldContain("5101 (Commands.Api 2)");
        run.Error.ShouldNotContain("5100");
    }

    [Fact]
    public async Task Programs_of_the_system_are_found_by_a_user_without_sbin_in_the_PATH()
    {
        var run = await script.RunAsync("""
            mkdir -p "$STATE/copy/eng/cli"
            cp "$ROOT/apexshop" "$STATE/copy"
            echo 'echo "$PATH" && exit' >"$STATE/copy/eng/cli/path.sh"
            PATH=/usr/bin:/bin bash "$STATE/copy/apexshop"
            """);

        run.Output.ShouldBe("/usr/bin:/bin:/usr/sbin:/sbin\n", run.Text);
    }
}
