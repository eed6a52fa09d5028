using System.Text.Json.Nodes;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>What `status` reports of servers and processes that it does not find as they should be.</summary>
public sealed class StatusTests : IDisposable
{
    // All runs, and every health check is ok; `sql` writes whom it asked.
    private const string Shop = """
        unset "${!APEXSHOP_@}"
        (open_state)
        echo SERVERS=native >"$STATE/engine"
        printf '%s\n' ARCHIVING=on REPOSITORY=/none >"$STATE/archive"
        is_running() { :; }
        pid_of() { echo 1; }
        server_responds() { server_is_up "$1"; }
        find_postgres() { :; }
        free_space_of() { echo 300; }
        shop_curl() { echo '{"status":"ready","checks":{"postgres":"ok","redis":"ok"}}'; }
        sleep() { :; }
        REPLICAS=2
        sql() {
          echo asked >>"$STATE/asked"
          case $* in
            *pg_stat_archiver*) echo 'on never 0 f 0 f' ;;
            *pg_stat_replication*) echo $REPLICAS ;;
            *) echo 'outbox waiting 0 0' ;;
          esac
        }
        is_another_at() { false; }
        become_cluster() { echo NETWORK=127.7.7 >"$STATE/cluster"; }

        """;

    private readonly ScriptFolder script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData("")]
    [InlineData("become_cluster")]
    public async Task Without_a_problem_it_succeeds(string before)
    {
        var run = await script.RunAsync($"{Shop}{before}\nrun_verb status");

        run.ExitCode.ShouldBe(0, run.Text);
        run.Output.ShouldEndWith("No problems.\n");
        run.Output.Contains("  gateway ", StringComparison.Ordinal).ShouldBe(before.Length > 0, run.Output);
    }

    [Theory]
    [InlineData("server_is_up() { [[ $1 != postgres ]]; }")]
    [InlineData("become_cluster; is_running() { [[ $1 != postgres* ]]; }")]
    public async Task A_PostgreSQL_that_is_stopped_is_not_asked(string before)
    {
        var run = await script.RunAsync($$"""
            {{Shop}}{{before}}
            run_verb status || cat "$STATE/asked" || echo "not asked"
            """);

        run.Output.ShouldEndWith("not asked\n", Case.Sensitive, run.Text);
        run.Output.ShouldContain("  PostgreSQL is stopped; ./apexshop start postgres");
    }

    [Theory]
    [InlineData("sql postgres")]
    [InlineData("dump_tables")]
    [InlineData("archive_tool pgbackrest.conf info")]
    public async Task A_server_that_asks_for_the_password_in_clear_text_does_not_get_it(string call)
    {
        var run = await script.RunAsync($$"""
            mkdir -p "$STATE/postgres/data" "$STATE/programs"
            for name in psql pg_dump pgbackrest; do
              printf '#!/bin/bash\necho "$PGREQUIREAUTH $PGPASSWORD"\n' >"$STATE/programs/$name"
              chmod 755 "$STATE/programs/$name"
            done
            chmod 755 "$STATE" "$STATE/programs"
            ENGINE=native PG_BIN=$STATE/programs POSTGRES_PASSWORD=secret APEXSHOP_PG_PORT=1
            PATH=$PG_BIN:$PATH
            {{call}}
            echo "after: ${PGREQUIREAUTH:-}"
            """);

        run.Output.ShouldBe("scram-sha-256 secret\nafter: \n", run.Text);
    }

    [Theory]
    [InlineData("free_space_of() { echo 299; }", "  The disk of the state folder has 299 MB left")]
    [InlineData(
        "shop_curl() { [[ $3 == 5 && $4 == *:5100/* ]] && checks=unavailable || checks=ok\n"
            + "echo '{\"status\":\"ready\",\"checks\":{\"rabbitmq\":\"'$checks'\"}}'; }",
        "  Commands.Api: rabbitmq is unavailable; ./apexshop logs commands")]
    [InlineData(
        "shop_curl() { echo '{\"status\":\"ready\",\"checks\":{\"documentsOfThisLog\":\"unavailable\"}}'; }",
        "  The documents are not of this event log")]
    [InlineData("become_cluster; is_running() { [[ $1 != gateway ]]; }", "  The gateway is stopped")]
    [InlineData("become_cluster; gateway_is_ready() { false; }", "  No ready process answers through the gateway")]
    [InlineData(": >\"$STATE/archive\"", "  The settings of the archive are lost")]
    [InlineData(
        "echo ARCHIVING=off >\"$STATE/archive\"; sql() { [[ $* == *SHOW* ]] && echo on || echo 'log head 0 0'; }",
        "  PostgreSQL still archives; ./apexshop backup off")]
    [InlineData("become_cluster; REPLICAS=1", "  Replicas that follow the primary PostgreSQL: 1 of 2")]
    public async Task What_needs_an_operator_is_a_problem(string before, string problem)
    {
        foreach (var option in (string[])["", "--json"])
        {
            var run = await script.RunAsync($"{Shop}{before}\nrun_verb status {option}");

            run.ExitCode.ShouldBe(1, run.Text);
            run.Output.ShouldContain(problem.Trim());
            if (option.Length > 0) JsonNode.Parse(run.Output)!["problems"]!.AsArray().ShouldNotBeEmpty();
        }
    }

    [Fact]
    public async Task A_dependency_that_has_just_started_is_no_problem()
    {
        var run = await script.RunAsync(Shop + """
            shop_curl() {
              if [[ -f $STATE/later ]]; then state=ok; else state=unavailable; fi
              touch "$STATE/later"
              echo '{"status":"ready","checks":{"redis":"'$state'"}}'
            }
            run_verb status
            """);

        run.ExitCode.ShouldBe(0, run.Text);
    }

    [Fact]
    public async Task The_gateway_of_a_cluster_is_started_stopped_and_restarted_by_its_name()
    {
        var run = await script.RunAsync(Shop + """
            become_cluster
            make_networks() { :; }
            check_gateway_ports() { :; }
            start_gateway() { touch "$STATE/started"; }
            signal() { rm "$STATE/started"; }
            await_end() { :; }
            is_running() { [[ $1 != gateway || -f $STATE/started ]]; }
            for verb in start start restart stop stop; do (run_verb "$verb" gateway); done
            """);

        run.Output.ShouldBe(
            """
            Gateway was started.
            Gateway is already running.
            Gateway was restarted.
            Gateway was stopped; ./apexshop start gateway starts it again.
            Gateway is not running.

            """, run.Text);
    }

    [Fact]
    public async Task A_shop_without_a_cluster_has_no_gateway()
    {
        var run = await script.RunAsync(Shop + "run_verb start gateway");

        run.ExitCode.ShouldBe(2, run.Text);
        run.Error.ShouldContain("names: commands projector queries postgres rabbitmq redis\n");
    }
}
