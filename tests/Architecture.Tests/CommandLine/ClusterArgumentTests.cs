using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>
/// What ./apexshop decides about a cluster without starting one. ClusterRunTests of Prove.Tests lets machines fail.
/// </summary>
public sealed class ClusterArgumentTests : IDisposable
{
    private readonly FakeShop shop = new();

    public void Dispose() => shop.Dispose();

    [Fact]
    public async Task A_shop_without_a_cluster_has_no_machines()
    {
        var refused = await shop.Script.RunAsync(["cluster", "kill", "1"]);
        refused.ExitCode.ShouldBe(1);
        refused.Error.ShouldContain("up --cluster");
    }

    [Fact]
    public async Task A_machine_that_does_not_exist_is_refused()
    {
        BecomeCluster();
        var refused = await shop.Script.RunAsync(["cluster", "kill", "4"]);
        refused.ExitCode.ShouldBe(2);
        refused.Error.ShouldContain("1 2 3");
    }

    [Fact]
    public async Task Machines_without_a_network_of_their_own_cannot_be_cut_off()
    {
        BecomeCluster();
        var refused = await shop.Script.RunAsync(["cluster", "cut", "1"]);
        refused.ExitCode.ShouldBe(1);
        refused.Error.ShouldContain("root");
    }

    [Fact]
    public async Task A_single_server_with_data_does_not_become_a_cluster()
    {
        var refused = await shop.Script.RunAsync(["up", "--cluster"]);
        refused.ExitCode.ShouldBe(1, refused.Output);
        refused.Error.ShouldContain("without --cluster");
        File.Exists(shop.Script.At(".local/cluster")).ShouldBeFalse();
    }

    [Fact]
    public async Task A_cluster_has_its_own_scale() =>
        (await shop.Script.RunAsync(["up", "--cluster", "--scale", "queries=5"])).ExitCode.ShouldBe(2);

    [Theory]
    [InlineData("backup")]
    [InlineData("backup list")]
    [InlineData("restore --latest --yes")]
    public async Task Archives_are_for_a_single_server(string arguments)
    {
        BecomeCluster();
        var refused = await shop.Script.RunAsync(arguments.Split(' '));
        refused.ExitCode.ShouldBe(1);
        refused.Error.ShouldContain("docs/operations.md");
    }

    [Fact]
    public async Task A_process_that_hangs_goes_on_before_it_is_asked_to_end()
    {
        BecomeCluster();
        shop.Script.Write(".local/scale", "SCALE=commands=2\n");
        var stopped = await shop.Script.CallAsync("""
            load_settings
            launch commands-2 bash -c 'trap exit TERM; touch "$0/ready"; while :; do sleep 0.05; done' "$ROOT"
            for try in {1..200}; do [[ -f $ROOT/ready ]] || sleep 0.05; done
            freeze_machine 2
            for try in {1..200}; do [[ $(machine_state commands-2) == hangs ]] || sleep 0.05; done
            stop_servers() { :; }
            stop_all
            """);

        stopped.Output.ShouldEndWith("unfreeze 2\n", Case.Sensitive, stopped.Error);
        shop.Pid("commands-2").ShouldBeNull();
    }

    [Fact]
    public async Task Processes_reach_their_servers_through_the_balancer_of_their_machine()
    {
        BecomeCluster();
        var called = await shop.Script.CallAsync("""
            load_settings
            export_configuration queries-2
            echo "$ASPNETCORE_URLS $ConnectionStrings__Redis $ConnectionStrings__Read"
            """);
        called.Error.ShouldBeEmpty();
        called.Output.ShouldStartWith("http://127.7.7.2:5200 127.7.7.2:6380,");
        called.Output.ShouldContain("Host=127.7.7.2:5441,127.7.7.2:5442,127.7.7.2:5443;");
        called.Output.ShouldContain("Target Session Attributes=primary");
    }

    [Fact]
    public async Task A_balancer_checks_every_PostgreSQL_as_in_containers()
    {
        BecomeCluster();
        var called = await shop.Script.CallAsync("""
            load_settings
            balancer_settings balancer-2
            """);
        called.Error.ShouldBeEmpty();
        called.Output.ShouldContain("bind 127.7.7.2:5443");
        called.Output.ShouldContain("server postgres-3 127.7.7.3:");
        var inContainers = File
            .ReadLines(Path.Combine(Repository.Root, "deploy", "compose", "haproxy", "balancer.cfg"))
            .SkipWhile(line => line != "defaults postgres from tcp").Skip(1).TakeWhile(line => line.Length > 0)
            .Where(line => !line.Contains("clitcpka", StringComparison.Ordinal)).ToList();
        inContainers.Count.ShouldBe(6);
        foreach (var line in inContainers) called.Output.ShouldContain(line);
    }

    [Fact]
    public async Task A_Redis_that_returns_follows_the_primary_that_the_sentinels_agreed_on_last()
    {
        BecomeCluster();
        shop.Script.Write("deploy/compose/redis/redis.conf", "");
        shop.Script.Write("deploy/compose/redis/cluster.conf", "");
        WriteSentinel("sentinel", "127.7.7.1", 3);
        WriteSentinel("sentinel-2", "127.7.7.3", 10);
        WriteSentinel("sentinel-3", "127.7.7.2", 9);
        const string settings = "load_settings\nredis_settings redis | grep ^replicaof\n"
            + "redis_settings redis-3 | grep -c ^replicaof || true";
        (await shop.Script.CallAsync(settings)).Output.ShouldBe("replicaof 127.7.7.3 21379\n0\n");
    }

    [Theory]
    [InlineData("audit")]
    [InlineData("backup \"$ROOT/file\"")]
    [InlineData("dlq list")]
    [InlineData("erase --yes 17")]
    [InlineData("events archive \"$ROOT/archive\"")]
    [InlineData("events identity")]
    [InlineData("rebuild status")]
    [InlineData("seed")]
    public async Task Without_the_first_machine_operators_reach_the_gateway_and_the_primary(string verb)
    {
        var called = await WithoutTheFirstMachineAsync(verb);
        called.Error.ShouldNotContain("not running");
        var requests = shop.Script.Read("requests").Split('\n', StringSplitOptions.RemoveEmptyEntries);
        requests.ShouldAllBe(request => request.Contains("127.0.0.1:5100") || request.Contains("-h 127.7.7.2 "));
    }

    [Fact]
    public async Task A_restore_that_could_not_start_all_processes_again_is_refused()
    {
        shop.Script.Write("file", "");
        var refused = await WithoutTheFirstMachineAsync("restore --yes \"$ROOT/file\"");
        refused.ExitCode.ShouldBe(1);
        refused.Error.ShouldContain("all machines");
    }

    // Every request to the shop and every statement is a line of the file `requests`.
    private Task<ProgramRun> WithoutTheFirstMachineAsync(string verb)
    {
        BecomeCluster();
        shop.Script.Write(".local/scale", "SCALE=commands=2,projector=2,queries=3\n");
        shop.Script.WriteProgram("curl", """
            case $* in
              *127.7.7.2:8008/primary) ;;
              */primary) exit 7 ;;
              *) echo "$*" >>"$ROOT/requests" && printf '{"next":null}\n204' ;;
            esac
            """);
        shop.Script.WriteProgram("tail", "exec /usr/bin/tail \"$@\"");
        foreach (var program in (string[])["psql", "pg_dump"])
            shop.Script.WriteProgram(program, "echo $* >>\"$ROOT/requests\"\necho 1");
        return shop.Script.CallAsync($$"""
            is_running() { [[ $1 == *-2 ]]; }
            find_postgres() { PG_BIN=$ROOT/programs; }
            all_projected() { :; }
            ERASE_SECONDS=0
            run_verb {{verb}}
            """);
    }

    [Theory]
    [InlineData("16500", "16500", "known-replica")]
    [InlineData("16500", "17500", "known-sentinel")]
    public async Task A_sentinel_follows_the_primary_to_another_port(string before, string now, string last)
    {
        BecomeCluster();
        shop.Script.Write(
            ".local/sentinel/sentinel.conf",
            $"""
            sentinel myid 1
            sentinel monitor apexshop 127.7.7.2 {before} 2
            sentinel known-sentinel apexshop 10.7.7.3 26379 2
            sentinel known-replica apexshop 10.7.7.2 {before}

            """);
        var started = await shop.Script.CallAsync($$"""
            load_settings
            launch() { :; }
            APEXSHOP_REDIS_PORT={{now}}
            start_sentinel sentinel
            """);
        started.ExitCode.ShouldBe(0, started.Error);
        var settings = shop.Script.Read(".local/sentinel/sentinel.conf");
        settings.ShouldStartWith($"sentinel myid 1\nsentinel monitor apexshop 127.7.7.2 {now} 2\n");
        settings.TrimEnd().Split('\n')[^1].ShouldContain(last);
    }

    [Fact]
    public async Task A_machine_with_routes_to_all_networks_gets_a_cluster_on_loopback_addresses()
    {
        var chosen = await shop.Script.CallAsync("""
            load_settings
            ip() { [[ $1 != route ]] || echo '10.0.0.0/8 dev vpn'; }
            choose_network
            has_networks || echo none
            cat "$STATE/cluster"
            """);
        chosen.Output.ShouldContain(": none can be cut off.\nnone\nNETWORK=127.", customMessage: chosen.Error);
    }

    private void BecomeCluster() => shop.Script.Write(".local/cluster", "NETWORK=127.7.7\n");

    private void WriteSentinel(string name, string primary, int epoch) => shop.Script.Write(
        $".local/{name}/sentinel.conf",
        $"sentinel monitor apexshop {primary} 21379 2\nsentinel config-epoch apexshop {epoch}\n");
}
