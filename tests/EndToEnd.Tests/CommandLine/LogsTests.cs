namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>Which logs ./apexshop logs follows, and that requests to the shop use no proxy.</summary>
public sealed class LogsTests : IDisposable
{
    private readonly ScriptFolder script = new();

    public void Dispose() => script.Dispose();

    [Fact]
    public async Task Those_of_servers_in_Docker_are_the_ones_of_their_containers()
    {
        var run = await LogsAsync("postgres", "redis");

        run.ExitCode.ShouldBe(0, run.Text);
        run.Output.ShouldBe("compose logs -f --tail 40 postgres redis\n");
    }

    [Fact]
    public async Task Those_of_a_container_and_a_process_need_two_commands()
    {
        var run = await LogsAsync("commands", "postgres");

        run.ExitCode.ShouldBe(2, run.Text);
        run.Error.ShouldContain("./apexshop logs postgres");
    }

    [Fact]
    public async Task The_shop_is_asked_without_a_proxy_and_a_log_elsewhere_with_the_one_of_the_environment()
    {
        var run = await script.RunAsync("""
            curl() { printf '%s\n' "$*"; }
            COMMANDS_URL=http://here ADMIN_KEY=key
            operator_curl "$COMMANDS_URL" | cut -d' ' -f1,2
            APEXSHOP_EVENTS_URL=http://elsewhere choose_log
            operator_curl "$COMMANDS_URL" | cut -d' ' -f1,2
            """);

        run.Output.ShouldBe("--noproxy *\n-sS -H\n", run.Text);
    }

    private Task<TestKit.ProgramRun> LogsAsync(params string[] names) => script.RunAsync($$"""
        mkdir "$STATE/commands"
        touch "$STATE/commands/log"
        load_settings() { ENGINE=docker PROCESSES=commands; }
        compose() { echo compose "$@"; }
        verb_logs {{string.Join(' ', names)}}
        """);
}
